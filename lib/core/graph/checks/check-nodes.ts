import type { GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import type { GraphIndex } from "#lib/core/graph/edges";
import { ENTRY_NAMES, STEP_KINDS } from "#lib/core/steps/step-kinds";

/** Not allowed as an id, because `__proto__` cannot be a key of the plain objects that contain the outputs of nodes. */
const FORBIDDEN_ID = "__proto__";

/** Checks that ids are unique and unambiguous, and that `parentId` names a loop without forming a cycle. */
export function checkNodes(index: GraphIndex): GraphProblem[] {
  const problems: GraphProblem[] = [];
  for (const node of index.definition.nodes) {
    if (index.nodes.get(node.id) !== node) {
      problems.push(nodeProblem(node, "DUPLICATE_NODE_ID", `the id "${node.id}" is used twice`));
    }
    if (node.id === FORBIDDEN_ID) {
      problems.push(nodeProblem(node, "RESERVED_NODE_ID", `the id "${node.id}" is reserved`));
    }
    if (ENTRY_NAMES.includes(node.id) && node.type !== node.id) {
      problems.push(
        nodeProblem(
          node,
          "RESERVED_NODE_ID",
          `in expressions, "${node.id}" means the start of the workflow; choose another id`,
        ),
      );
    }
    problems.push(...checkParent(index, node));
  }
  return problems;
}

function checkParent(index: GraphIndex, node: GraphNode): GraphProblem[] {
  if (node.parentId === undefined) return [];
  const parent = index.nodes.get(node.parentId);
  if (!parent || !STEP_KINDS[parent.type].holdsBody) {
    return [nodeProblem(node, "UNKNOWN_PARENT", `"${node.parentId}" is not a loop, so it cannot contain this step`)];
  }
  const seen = new Set([node.id]);
  for (let above: GraphNode | undefined = parent; above; above = index.nodes.get(above.parentId ?? "")) {
    if (seen.has(above.id)) return [nodeProblem(node, "UNKNOWN_PARENT", "a loop cannot contain itself")];
    seen.add(above.id);
  }
  return [];
}
