import type { StepItem } from "#lib/contract/journal";

export interface ArrangedStep {
  step: StepItem;
  /** How many loops it stands in. */
  depth: number;
  /** The outermost loop around it. */
  loopId: string | null;
}

/**
 * Steps in the order in which they are read: those of a loop below it, item by item. Items that ran at the same time are
 * journalled interleaved. A loop in a loop keeps the journal's order: a step names its innermost item only.
 */
export function arrangeSteps(steps: readonly StepItem[]): ArrangedStep[] {
  const parents = new Map(steps.map((step) => [step.step_id, step.iteration?.loop_id ?? null]));
  const arranged = steps.map((step) => ({ step, ...placeOf(step.step_id, parents) }));
  const bodies = Map.groupBy(arranged, ({ loopId }) => loopId);
  const outer = bodies.get(null) ?? [];
  return outer.flatMap((entry) => [entry, ...byItem(bodies.get(entry.step.step_id) ?? [])]);
}

/** A loop that is not among the steps is none: nothing would stand above its items. */
function placeOf(
  stepId: string,
  parents: ReadonlyMap<string, string | null>,
): { depth: number; loopId: string | null } {
  let depth = 0;
  let loopId: string | null = null;
  for (let next = parents.get(stepId); next && parents.has(next) && depth < parents.size; next = parents.get(next)) {
    depth += 1;
    loopId = next;
  }
  return { depth, loopId };
}

function byItem(body: readonly ArrangedStep[]): readonly ArrangedStep[] {
  if (body.some(({ depth }) => depth > 1)) return body;
  return body.toSorted((a, b) => (a.step.iteration?.index ?? 0) - (b.step.iteration?.index ?? 0));
}
