import type { GraphNode } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { nodeLabel } from "#lib/core/steps/node-data";

/** Creates a problem of one node. Its message starts with the name that people see. */
export function nodeProblem(node: GraphNode, code: string, message: string, field?: string): GraphProblem {
  return {
    code,
    message: `${nodeLabel(node)}: ${message}`,
    node_id: node.id,
    ...(field === undefined ? {} : { field }),
  };
}

export function unknownOperation(node: GraphNode, connector: string, operation: string): GraphProblem {
  const message = `${nodeLabel(node)}: the operation "${operation}" does not exist in the connector "${connector}"`;
  return { code: "UNKNOWN_OPERATION", message, node_id: node.id, field: "operation" };
}
