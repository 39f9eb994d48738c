import type { StepItem } from "#lib/contract/run/journal";
import type { GraphNode } from "#lib/contract/workflow/graph";

/** The selected item of each loop; a loop without an entry shows all of its items together. */
export type ChosenItems = Readonly<Record<string, number>>;

/** Returns the loops around a node, outermost first. */
export function loopPath(nodes: ReadonlyMap<string, GraphNode>, nodeId: string): string[] {
  const path: string[] = [];
  for (let parent = nodes.get(nodeId)?.parentId; parent !== undefined; parent = nodes.get(parent)?.parentId) {
    if (path.includes(parent)) break;
    path.unshift(parent);
  }
  return path;
}

/**
 * Returns the steps of the selected items. A step with a selected item in every loop around it is shown as if there
 * were no loop: it has one status and one duration.
 */
export function stepsOfItems(
  steps: readonly StepItem[],
  nodes: ReadonlyMap<string, GraphNode>,
  chosen: ChosenItems,
): StepItem[] {
  return steps.flatMap((step) => {
    if (step.iteration === null) return [step];
    const loops = loopPath(nodes, step.step_id);
    const indexes = step.iteration.path.split(".").map(Number);
    if (loops.some((loop, depth) => chosen[loop] !== undefined && chosen[loop] !== indexes[depth])) return [];
    return [loops.every((loop) => chosen[loop] !== undefined) ? { ...step, iteration: null } : step];
  });
}

/** Returns the items that must be selected to see a step: one for every loop around it. */
export function itemsAround(step: StepItem, nodes: ReadonlyMap<string, GraphNode>): ChosenItems {
  const indexes = step.iteration?.path.split(".").map(Number) ?? [];
  return Object.fromEntries(loopPath(nodes, step.step_id).map((loop, depth) => [loop, indexes[depth] ?? 0]));
}

/**
 * Returns how many items a loop has reached. Null if that depends on the item of an outer loop that is not selected, or
 * if there are none.
 */
export function countItemsOf(
  loopId: string,
  steps: readonly StepItem[],
  nodes: ReadonlyMap<string, GraphNode>,
  chosen: ChosenItems,
): number | null {
  if (loopPath(nodes, loopId).some((loop) => chosen[loop] === undefined)) return null;
  const { [loopId]: _own, ...outer } = chosen;
  const counts = stepsOfItems(steps, nodes, outer).flatMap(({ iteration }) =>
    iteration?.loop_id === loopId ? [iteration.count ?? iteration.index + 1] : [],
  );
  return counts.length === 0 ? null : Math.max(...counts);
}
