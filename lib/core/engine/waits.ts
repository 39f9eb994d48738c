import type { PendingRetry } from "#lib/core/engine/retry";

/** What a step waits for. */
export type Wait =
  /** A period of time, from now; in the pause before a retry, with what the next worker must know of it. */
  | { kind: "time"; ms: number; retry?: PendingRetry }
  /** A decision. */
  | { kind: "approval"; nodeId: string; iteration: string }
  /** A request to the step's address, for at most this time. */
  | { kind: "callback"; nodeId: string; iteration: string; ms: number }
  /** The end of a sub-run. */
  | { kind: "run"; runId: string };

/** A step that is waiting. */
export interface Waiter {
  wait: Wait;
  /** On the monotonic clock; Infinity if time does not end this wait. */
  endsMs: number;
  /** Aborts the wait early. */
  stop: AbortController;
}

/** The working and waiting steps of one run. */
export interface Parking {
  /**
   * The number of steps at work. It never drops to zero for a whole turn of the event loop between two steps of a
   * branch.
   */
  busy: number;
  waiters: Set<Waiter>;
  /** What the run is parked for; null if it is not parked. */
  parkedFor: readonly Waiter[] | null;
}

export function newParking(): Parking {
  return { busy: 0, waiters: new Set(), parkedFor: null };
}
