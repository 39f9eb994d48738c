import type { GraphNode } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { nodeLabel } from "#lib/core/steps/node-data";

/** A problem that belongs to one node: its message begins with what a person calls the node. */
export function nodeProblem(node: GraphNode, code: string, message: string, field?: string): GraphProblem {
  return {
    code,
    message: `${nodeLabel(node)}: ${message}`,
    node_id: node.id,
    ...(field === undefined ? {} : { field }),
  };
}

export function unknownOperation(node: GraphNode, connector: string, operation: string): GraphProblem {
  const message = `${nodeLabel(node)}: there is no operation "${operation}" of a connector "${connector}"`;
  return { code: "UNKNOWN_OPERATION", message, node_id: node.id, field: "operation" };
}
