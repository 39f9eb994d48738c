import { monitorEventLoopDelay } from "node:perf_hooks";
import { log } from "#lib/platform/config/log";
import { observeEventLoopDelay } from "#lib/platform/metrics/counters";
import { isStarved } from "#lib/platform/metrics/is-starved";
import { findBlockingWork, hasWorkSince, onNextWork, type WorkNote } from "#lib/platform/metrics/note-work";
import { shareInProcess } from "#lib/support/share-in-process";

/**
 * How often the event loop is asked for a turn while the process works. A block is measured up to this much too short; 50
 * turns per second cost about 0.1% of a processor.
 */
const TURN_MS = 20;
/** A process is at rest if it computed less than this in as many milliseconds, without a note of work. */
const REST_AFTER_MS = 1_000;
const REST_CPU_MS = 50;
/** At rest, how often the turns that were taken since are checked. */
const REST_TURN_MS = 10_000;
/** A longer delay is logged with the work that probably caused it. */
const LOGGED_DELAY_MS = 200;
/** On a busy machine, a line for each delay would hide all other lines. */
const LINE_EVERY_MS = 60_000;

interface Watch {
  stop(): void;
}

const shared = shareInProcess("event-loop-watch", (): { watch?: Watch } => ({}));

/**
 * Measures how late the turns of this process's event loop are, for `signalbox_event_loop_delay_seconds`. Logs delays
 * above 200 ms, at most one line per minute: how many there were, and the longest one with the workspace, the caller and
 * operation, or the run and step. `cpu_ms` is what the process computed during that delay: if it is much less than the
 * delay, the process was starved, because the machine was busy or the process was stopped. A process without work is not
 * woken: Node.js then measures the turns that it takes anyway. Starts once and never keeps the process alive.
 */
export function watchEventLoop(process: "web" | "worker", onTurn?: OnTurn): void {
  shared.watch ??= startWatch(process, onTurn);
}

/** Receives how late a turn was, and what the process computed since the last one, in ms. */
export type OnTurn = (delayMs: number, cpuMs: number) => void;

export function stopWatchingEventLoop(): void {
  shared.watch?.stop();
  delete shared.watch;
}

function startWatch(kind: "web" | "worker", onTurn?: OnTurn): Watch {
  const logDelays = openDelayLog();
  const readCpuMs = openCpuMeter();
  // The first sample of a histogram includes the time before it.
  const iterations = monitorEventLoopDelay({ samplePerIteration: true });
  iterations.enable();
  let timer: NodeJS.Timeout | undefined;
  let lastMs = performance.now();
  let rested = { sinceMs: lastMs, cpuMs: 0 };

  function note(nowMs: number, delayMs: number, cpuMs: number): void {
    observeEventLoopDelay(kind, delayMs);
    logDelays(nowMs, delayMs > LOGGED_DELAY_MS ? { delayMs, cpuMs, note: findBlockingWork(lastMs, nowMs) } : null);
    onTurn?.(delayMs, cpuMs);
    lastMs = nowMs;
  }

  function turn(): void {
    const nowMs = performance.now();
    const cpuMs = readCpuMs();
    note(nowMs, Math.max(0, nowMs - lastMs - TURN_MS), cpuMs);
    rested.cpuMs += cpuMs;
    if (nowMs - rested.sinceMs < REST_AFTER_MS) return;
    if (rested.cpuMs < REST_CPU_MS && !hasWorkSince(rested.sinceMs)) rest();
    rested = { sinceMs: nowMs, cpuMs: 0 };
  }

  function rest(): void {
    clearInterval(timer);
    iterations.reset();
    timer = setInterval(turnAtRest, REST_TURN_MS).unref();
    onNextWork(work);
  }

  function turnAtRest(): void {
    const delayMs = iterations.count === 0 ? 0 : iterations.max / 1e6;
    iterations.reset();
    const cpuMs = readCpuMs();
    note(performance.now(), delayMs < TURN_MS ? 0 : delayMs, Math.min(delayMs, cpuMs));
    // One long iteration is not work, and on a busy machine most of them are long.
    if (cpuMs >= REST_CPU_MS * (REST_TURN_MS / REST_AFTER_MS)) work();
  }

  function work(): void {
    clearInterval(timer);
    onNextWork(null);
    lastMs = performance.now();
    readCpuMs();
    rested = { sinceMs: lastMs, cpuMs: 0 };
    timer = setInterval(turn, TURN_MS).unref();
  }

  work();
  return {
    stop: () => {
      clearInterval(timer);
      onNextWork(null);
      iterations.disable();
    },
  };
}

/** Returns a function that reads what the process computed since its last call, in ms. */
function openCpuMeter(): () => number {
  let before = process.cpuUsage();
  return () => {
    const used = process.cpuUsage();
    const cpuMs = (used.user + used.system - before.user - before.system) / 1_000;
    before = used;
    return cpuMs;
  };
}

interface Delay {
  delayMs: number;
  cpuMs: number;
  note: WorkNote | null;
}

/** Returns a function that is called with each turn and its delay, if that is long. The first line is written at once. */
function openDelayLog(): (nowMs: number, delay: Delay | null) => void {
  let nextLineMs = Number.NEGATIVE_INFINITY;
  let count = 0;
  let longest: Delay | null = null;
  return (nowMs, delay) => {
    if (delay) {
      count += 1;
      // A note is a slot of a ring, which is overwritten before the line is due.
      if (delay.delayMs > (longest?.delayMs ?? 0)) longest = { ...delay, note: delay.note && { ...delay.note } };
    }
    if (!longest || nowMs < nextLineMs) return;
    logDelay(longest, count);
    nextLineMs = nowMs + LINE_EVERY_MS;
    count = 0;
    longest = null;
  };
}

function logDelay({ delayMs, cpuMs, note }: Delay, count: number): void {
  const { workspaceId, callerId, operation, runId } = note?.work ?? {};
  log.warn(
    {
      count,
      delay_ms: Math.round(delayMs),
      cpu_ms: Math.round(cpuMs),
      workspace_id: workspaceId,
      caller_id: callerId,
      operation,
      run_id: runId,
      node_id: note?.part ?? undefined,
    },
    isStarved({ elapsedMs: delayMs, cpuMs }) ? "the event loop was starved" : "the event loop was blocked",
  );
}
