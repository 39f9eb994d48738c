import type { Definition } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";

/**
 * Returns the problems that only the server can find, such as a param that an operation does not take, as far as the steps
 * they are about did not change since it checked them.
 * @param checked the drawing that the server checked
 * @param local what the page itself found in the current drawing
 */
export function serverProblems(
  definition: Definition,
  checked: Definition,
  found: readonly GraphProblem[],
  local: readonly GraphProblem[],
): GraphProblem[] {
  const known = new Set(local.map(keyOf));
  const before = new Map(checked.nodes.map((node) => [node.id, node]));
  const same = new Set(definition.nodes.filter((node) => before.get(node.id) === node).map(({ id }) => id));
  return found.filter((problem) => {
    if (known.has(keyOf(problem))) return false;
    return problem.node_id === undefined ? definition === checked : same.has(problem.node_id);
  });
}

/** Identifies a problem in a list. */
export function keyOf({ code, node_id: nodeId = "", field = "", message }: GraphProblem): string {
  return `${code} ${nodeId} ${field} ${message}`;
}
