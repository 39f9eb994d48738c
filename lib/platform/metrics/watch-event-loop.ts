import { log } from "#lib/platform/config/log";
import { observeEventLoopDelay } from "#lib/platform/metrics/counters";
import { findBlockingWork } from "#lib/platform/metrics/note-work";

/**
 * How often the event loop is asked for a turn. A block is measured up to this much too short; 50 turns per second cost
 * about 0.1% of a processor.
 */
const TURN_MS = 20;
/** A longer delay is logged with the work that probably caused it. */
const LOGGED_DELAY_MS = 200;

// A bundle may contain this module more than once; the process has one event loop.
const shared = globalThis as { signalboxEventLoopWatch?: NodeJS.Timeout };

/**
 * Measures how late the turns of this process's event loop are, for `signalbox_event_loop_delay_seconds`. Logs a delay
 * above 200 ms with the workspace, the caller and operation, or the run and step. `cpu_ms` is what the process computed
 * during the delay: if it is much less than the delay, the machine was busy or the process was stopped. Starts once and
 * never keeps the process alive.
 */
export function watchEventLoop(process: "web" | "worker", onTurn?: OnTurn): void {
  shared.signalboxEventLoopWatch ??= startTurns(process, onTurn);
}

/** Receives how late a turn was, and what the process computed since the last one, in ms. */
export type OnTurn = (delayMs: number, cpuMs: number) => void;

export function stopWatchingEventLoop(): void {
  clearInterval(shared.signalboxEventLoopWatch);
  delete shared.signalboxEventLoopWatch;
}

function startTurns(kind: "web" | "worker", onTurn?: OnTurn): NodeJS.Timeout {
  let lastMs = performance.now();
  let usedBefore = process.cpuUsage();
  return setInterval(() => {
    const nowMs = performance.now();
    const used = process.cpuUsage();
    const delayMs = Math.max(0, nowMs - lastMs - TURN_MS);
    observeEventLoopDelay(kind, delayMs);
    const cpuMs = (used.user + used.system - usedBefore.user - usedBefore.system) / 1000;
    if (delayMs > LOGGED_DELAY_MS) logDelay(delayMs, cpuMs, findBlockingWork(lastMs, nowMs));
    onTurn?.(delayMs, cpuMs);
    lastMs = nowMs;
    usedBefore = used;
  }, TURN_MS).unref();
}

function logDelay(delayMs: number, cpuMs: number, note: ReturnType<typeof findBlockingWork>): void {
  const { workspaceId, callerId, operation, runId } = note?.work ?? {};
  log.warn(
    {
      delay_ms: Math.round(delayMs),
      cpu_ms: Math.round(cpuMs),
      workspace_id: workspaceId,
      caller_id: callerId,
      operation,
      run_id: runId,
      node_id: note?.part ?? undefined,
    },
    "the event loop was blocked",
  );
}
