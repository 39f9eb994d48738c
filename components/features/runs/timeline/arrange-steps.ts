import type { StepItem } from "#lib/contract/journal";

export interface ArrangedStep {
  step: StepItem;
  /** How many loops it stands in. */
  depth: number;
  /** The outermost loop around it. */
  loopId: string | null;
}

/**
 * Steps in the order in which they are read: those of a loop below it, item by item, and so on inward. Items that ran at
 * the same time are journalled interleaved.
 */
export function arrangeSteps(steps: readonly StepItem[]): ArrangedStep[] {
  const known = new Set(steps.map(instanceOf));
  const bodies = Map.groupBy(steps, (step) => {
    const loop = loopAround(step);
    // A loop that is not among the steps is none: nothing would stand above its items.
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

/** The instance of the loop directly around a step; null outside loops. */
export function loopAround({ iteration }: StepItem): string | null {
  if (iteration === null) return null;
  return `${iteration.loop_id}|${iteration.path.split(".").slice(0, -1).join(".")}`;
}
