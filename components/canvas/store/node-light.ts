import type { StepStatus } from "#lib/contract/journal";

/** The state of a node in a run, which its card shows while the run is displayed. */
export interface NodeLight {
  status: StepStatus | "not_reached";
  /** Null while the step is running. */
  durationMs: number | null;
  /** 1 for the first attempt. */
  attempt: number;
  /** Inside a loop: the number of items done, and the total. */
  items: { done: number; count: number | null } | null;
  /** The branch that was taken, if there are several; null if unknown. */
  taken: string | null;
}

/** Returns true when two lights show the same. */
export function isSameLight(a: NodeLight, b: NodeLight): boolean {
  return (
    a.status === b.status &&
    a.durationMs === b.durationMs &&
    a.attempt === b.attempt &&
    a.taken === b.taken &&
    a.items?.done === b.items?.done &&
    a.items?.count === b.items?.count
  );
}
