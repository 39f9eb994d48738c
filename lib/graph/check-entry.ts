import type { GraphProblem } from "#lib/contract/workflow";
import { PUBLISH_MESSAGES } from "#lib/contract/workflow";
import type { GraphIndex } from "#lib/graph/edges";
import { NODE_KINDS } from "#lib/graph/node-kinds";
import { nodeProblem } from "#lib/graph/problem";

/** contract, Errors: the two sentences a callable workflow can be refused with. Nothing runs before the entry. */
export function checkEntry(index: GraphIndex): GraphProblem[] {
  const problems: GraphProblem[] = [];
  const { nodes } = index.definition;
  const inputs = nodes.filter((node) => node.type === "action_input");
  if (inputs.length !== 1) {
    const second = inputs[1];
    problems.push({
      code: "ACTION_INPUT_COUNT",
      message: PUBLISH_MESSAGES.actionInput,
      ...(second ? { node_id: second.id } : {}),
    });
  }
  if (!nodes.some((node) => node.type === "return_output")) {
    problems.push({ code: "RETURN_OUTPUT_COUNT", message: PUBLISH_MESSAGES.returnOutput });
  }
  for (const node of nodes) {
    if (NODE_KINDS[node.type].starts === null) continue;
    for (const edge of index.incoming.get(node.id) ?? []) {
      const problem = nodeProblem(node, "ENTRY_HAS_INCOMING", "the workflow begins here, so no edge may lead into it");
      problems.push({ ...problem, edge_id: edge.id });
    }
  }
  return problems;
}
