/** What a step waits for. */
export type Wait =
  /** Time, from now. */
  | { kind: "time"; ms: number }
  /** A decision. */
  | { kind: "approval"; nodeId: string; iteration: string }
  /** The end of a sub-run. */
  | { kind: "run"; runId: string };

/** A step that waits at present. */
export interface Waiter {
  wait: Wait;
  /** On the monotonic clock; Infinity where nothing here ends it. */
  endsMs: number;
  /** Ends it before. */
  stop: AbortController;
}

/** Who works and who waits in one run. */
export interface Parking {
  /** Steps at work. Between two steps of a branch there is no turn of the event loop in which it is not counted. */
  busy: number;
  waiters: Set<Waiter>;
  /** What the run is parked for; null while it is not. */
  parkedFor: readonly Waiter[] | null;
}

export function newParking(): Parking {
  return { busy: 0, waiters: new Set(), parkedFor: null };
}
