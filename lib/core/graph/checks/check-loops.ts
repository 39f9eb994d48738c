import type { GraphProblem } from "#lib/contract/workflow";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import type { GraphIndex } from "#lib/core/graph/edges";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/** A loop has something to repeat, and nothing inside it is the workflow's own beginning or end. */
export function checkLoops(index: GraphIndex): GraphProblem[] {
  const { nodes } = index.definition;
  const filled = new Set(nodes.map((node) => node.parentId));
  return nodes.flatMap((node) => {
    const { starts, holdsBody, fitsInLoop } = STEP_KINDS[node.type];
    if (holdsBody && !filled.has(node.id)) {
      return [nodeProblem(node, "EMPTY_LOOP", "no step stands inside the loop")];
    }
    if (node.parentId === undefined || fitsInLoop) return [];
    const what =
      starts === null ? "what the workflow returns is said once, after the loop" : "the workflow begins here";
    return [nodeProblem(node, "NOT_IN_LOOP", `${what}, so it cannot stand inside a loop`)];
  });
}
