import type { StepItem } from "#lib/contract/run/journal";

export interface ArrangedStep {
  step: StepItem;
  /** How many loops are around it. */
  depth: number;
  /** The outermost loop around it. */
  loopId: string | null;
}

/**
 * Sorts steps for reading: the steps of a loop follow it, item by item, and likewise for nested loops. The journal
 * interleaves items that ran at the same time.
 */
export function arrangeSteps(steps: readonly StepItem[]): ArrangedStep[] {
  const known = new Set(steps.map(instanceOf));
  const bodies = Map.groupBy(steps, (step) => {
    const loop = loopAround(step);
    // A loop that is not among the steps is ignored: its items would have no parent row.
    return loop !== null && known.has(loop) ? loop : null;
  });
  const place = (step: StepItem, depth: number, loopId: string | null): ArrangedStep[] => {
    const body = bodies.get(instanceOf(step)) ?? [];
    const inOrder = body.toSorted((a, b) => (a.iteration?.index ?? 0) - (b.iteration?.index ?? 0));
    const below = inOrder.flatMap((inner) => place(inner, depth + 1, loopId ?? step.step_id));
    return [{ step, depth, loopId }, ...below];
  };
  return (bodies.get(null) ?? []).flatMap((step) => place(step, 0, null));
}

/** A node in one iteration: "each|" outside loops, "inner|2" in the third item of the loop around it. */
export function instanceOf({ step_id: stepId, iteration }: StepItem): string {
  return `${stepId}|${iteration?.path ?? ""}`;
}

/** Returns the instance of the innermost loop around a step, or null outside loops. */
export function loopAround({ iteration }: StepItem): string | null {
  if (iteration === null) return null;
  return `${iteration.loop_id}|${iteration.path.split(".").slice(0, -1).join(".")}`;
}
