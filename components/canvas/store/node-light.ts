import { FAILED_HANDLE } from "#lib/core/engine/choose-path";
import type { ShownStepStatus } from "@/components/words/status";

/** The state of a node in a run, which its card shows while the run is displayed. */
export interface NodeLight {
  status: ShownStepStatus;
  /** Null while the step is running. */
  durationMs: number | null;
  /** 1 for the first attempt. */
  attempt: number;
  /** Inside a loop: the number of items done, and the total. */
  items: { done: number; count: number | null } | null;
  /** The branch that was taken, if there are several; null if unknown. */
  taken: string | null;
}

/** Returns true if a run can have left a node by this branch. Only a step that failed leaves by Failed. */
export function mayTake({ status, taken }: NodeLight, handle: string | null | undefined): boolean {
  if (handle === FAILED_HANDLE && taken === null) return status === "failed_continued";
  return handle == null || taken === null || taken === handle;
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
