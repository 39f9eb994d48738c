import type { GraphNode } from "#lib/contract/graph";
import type { StepItem } from "#lib/contract/journal";

/** By loop, the item of it that is looked at; a loop that is not in it shows all of its items together. */
export type ChosenItems = Readonly<Record<string, number>>;

/** The loops around a node, the outermost first. */
export function loopPath(nodes: ReadonlyMap<string, GraphNode>, nodeId: string): string[] {
  const path: string[] = [];
  for (let parent = nodes.get(nodeId)?.parentId; parent !== undefined; parent = nodes.get(parent)?.parentId) {
    if (path.includes(parent)) break;
    path.unshift(parent);
  }
  return path;
}

/**
 * The steps of the items that are looked at. One whose item is chosen in every loop around it stands alone, as if there
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

/** The items of every loop around a step: what has to be chosen to see it. */
export function itemsAround(step: StepItem, nodes: ReadonlyMap<string, GraphNode>): ChosenItems {
  const indexes = step.iteration?.path.split(".").map(Number) ?? [];
  return Object.fromEntries(loopPath(nodes, step.step_id).map((loop, depth) => [loop, indexes[depth] ?? 0]));
}

/**
 * How many items a loop has come to. Null where that depends on the item of a loop around it that is not chosen, and
 * where there are none.
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
