import { log } from "#lib/platform/config/log";
import { observeEventLoopDelay } from "#lib/platform/metrics/counters";
import { isStarved } from "#lib/platform/metrics/is-starved";
import { findBlockingWork, type WorkNote } from "#lib/platform/metrics/note-work";
import { shareInProcess } from "#lib/support/share-in-process";

/**
 * How often the event loop is asked for a turn. A block is measured up to this much too short; 50 turns per second cost
 * about 0.1% of a processor.
 */
const TURN_MS = 20;
/** A longer delay is logged with the work that probably caused it. */
const LOGGED_DELAY_MS = 200;
/** On a busy machine, a line for each delay would hide all other lines. */
const LINE_EVERY_MS = 60_000;

const shared = shareInProcess("event-loop-watch", (): { timer?: NodeJS.Timeout } => ({}));

/**
 * Measures how late the turns of this process's event loop are, for `signalbox_event_loop_delay_seconds`. Logs delays
 * above 200 ms, at most one line per minute: how many there were, and the longest one with the workspace, the caller and
 * operation, or the run and step. `cpu_ms` is what the process computed during that delay: if it is much less than the
 * delay, the process was starved, because the machine was busy or the process was stopped. Starts once and never keeps
 * the process alive.
 */
export function watchEventLoop(process: "web" | "worker", onTurn?: OnTurn): void {
  shared.timer ??= startTurns(process, onTurn);
}

/** Receives how late a turn was, and what the process computed since the last one, in ms. */
export type OnTurn = (delayMs: number, cpuMs: number) => void;

export function stopWatchingEventLoop(): void {
  clearInterval(shared.timer);
  delete shared.timer;
}

function startTurns(kind: "web" | "worker", onTurn?: OnTurn): NodeJS.Timeout {
  let lastMs = performance.now();
  let usedBefore = process.cpuUsage();
  const logDelays = openDelayLog();
  return setInterval(() => {
    const nowMs = performance.now();
    const used = process.cpuUsage();
    const delayMs = Math.max(0, nowMs - lastMs - TURN_MS);
    observeEventLoopDelay(kind, delayMs);
    const cpuMs = (used.user + used.system - usedBefore.user - usedBefore.system) / 1000;
    logDelays(nowMs, delayMs > LOGGED_DELAY_MS ? { delayMs, cpuMs, note: findBlockingWork(lastMs, nowMs) } : null);
    onTurn?.(delayMs, cpuMs);
    lastMs = nowMs;
    usedBefore = used;
  }, TURN_MS).unref();
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
