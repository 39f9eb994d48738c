import type { GraphProblem } from "#lib/contract/workflow";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import type { GraphIndex } from "#lib/core/graph/edges";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/** Checks that a loop has a body, and that the body does not contain the start or the end of the workflow. */
export function checkLoops(index: GraphIndex): GraphProblem[] {
  const { nodes } = index.definition;
  const filled = new Set(nodes.map((node) => node.parentId));
  return nodes.flatMap((node) => {
    const { starts, holdsBody, fitsInLoop } = STEP_KINDS[node.type];
    if (holdsBody && !filled.has(node.id)) {
      return [nodeProblem(node, "EMPTY_LOOP", "the loop contains no steps")];
    }
    if (node.parentId === undefined || fitsInLoop) return [];
    const what = starts === null ? "the workflow returns its output once, after the loop" : "the workflow starts here";
    return [nodeProblem(node, "NOT_IN_LOOP", `${what}, so this step cannot be inside a loop`)];
  });
}
