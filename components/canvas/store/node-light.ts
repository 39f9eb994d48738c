import type { StepStatus } from "#lib/contract/journal";

/** How a run left a node, or has it now: what its card shows while a run lies over the drawing. */
export interface NodeLight {
  status: StepStatus | "not_reached";
  /** Null while it goes on. */
  durationMs: number | null;
  /** 1 for the first try. */
  attempt: number;
  /** Inside a loop: how many items it has been done for, of how many. */
  items: { done: number; count: number | null } | null;
  /** The way out that was taken, where there are several; null where it is not known. */
  taken: string | null;
}

/** The two lights of one moment say the same. */
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
