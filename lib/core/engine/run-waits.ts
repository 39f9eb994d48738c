import { type RunState, remainingMs } from "#lib/core/engine/run-state";
import type { Wait, Waiter } from "#lib/core/engine/waits";

/** Parking and resuming a run takes about as long as this wait. */
const SHORT_WAIT_MS = 100;

/** Does all work that keeps the run on this worker: a step, a write. */
export async function whileBusy<T>(run: RunState, work: () => T | Promise<T>): Promise<T> {
  run.parking.busy += 1;
  try {
    return await work();
  } finally {
    leave(run);
  }
}

function leave(run: RunState): void {
  const { parking } = run;
  parking.busy -= 1;
  // Steps that follow the one that just ended start within this turn of the event loop.
  if (parking.busy === 0 && parking.waiters.size > 0) setImmediate(parkWhenIdle, run);
}

/** The run holds a worker while a step works or a wait is about to end. */
function parkWhenIdle(run: RunState): void {
  const { parking } = run;
  if (
    parking.busy > 0 ||
    parking.waiters.size === 0 ||
    run.failure ||
    run.request.stopping.aborted ||
    parking.parkedFor
  )
    return;
  const nowMs = run.ports.clock.monotonicMs();
  const nextMs = Math.min(...[...parking.waiters].map((waiter) => waiter.endsMs));
  if (nextMs - nowMs <= SHORT_WAIT_MS) return;
  parking.parkedFor = [...parking.waiters];
  for (const waiter of parking.parkedFor) waiter.stop.abort();
}

/**
 * Waits while the run stays on this worker. The caller counts as busy before and after, but not during the wait.
 * @returns true if the time is over, or the run's own; false if the run is parked, ends, or the worker stops
 * @throws the run signal's reason
 */
export async function waitHere(run: RunState, wait: Wait): Promise<boolean> {
  const { clock } = run.ports;
  const { signal, stopping } = run.request;
  const { parking, waits } = run;
  if (run.failure || stopping.aborted) return stopWaiting(run);
  const ms = "ms" in wait ? wait.ms : Number.POSITIVE_INFINITY;
  const waiter: Waiter = { wait, endsMs: clock.monotonicMs() + ms, stop: new AbortController() };
  parking.waiters.add(waiter);
  waits.add(waiter.stop);
  leave(run);
  const stop = AbortSignal.any([signal, stopping, waiter.stop.signal]);
  try {
    if (ms === Number.POSITIVE_INFINITY) await untilAborted(stop);
    else await clock.sleep(Math.min(ms, Math.max(0, remainingMs(run))), stop);
  } catch (error) {
    signal.throwIfAborted();
    if (!stop.aborted) throw error;
    return stopWaiting(run);
  } finally {
    parking.waiters.delete(waiter);
    waits.delete(waiter.stop);
    parking.busy += 1;
  }
  return true;
}

/** Leaves the wait to the next worker if this one is stopping. */
function stopWaiting(run: RunState): false {
  if (!run.failure && !run.parking.parkedFor) run.isInterrupted = true;
  return false;
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Lists what the parked run waits for, with the time that is left now. */
export function remainingWaits(run: RunState): Wait[] {
  const nowMs = run.ports.clock.monotonicMs();
  return (run.parking.parkedFor ?? []).map(({ wait, endsMs }) =>
    "ms" in wait ? { ...wait, ms: Math.max(0, Math.round(endsMs - nowMs)) } : wait,
  );
}
