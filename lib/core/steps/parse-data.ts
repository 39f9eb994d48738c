import type { GraphNode, NodeType } from "#lib/contract/graph";
import { StepError } from "#lib/contract/step-error";
import { type NodeData, nodeDataSchemas } from "#lib/core/steps/node-data";

/**
 * The node's data as its type defines it, defaults filled in. A published version has passed the same schema; the
 * draft of a test run may not have.
 * @throws StepError VALIDATION_ERROR naming the node and the field
 */
export function parseData<Type extends NodeType>(type: Type, node: GraphNode): NodeData[Type] {
  const parsed = nodeDataSchemas[type].safeParse(node.data);
  if (parsed.success) return parsed.data as NodeData[Type];
  const issue = parsed.error.issues[0];
  throw new StepError("VALIDATION_ERROR", `${[node.id, ...(issue?.path ?? [])].join(".")}: ${issue?.message}`);
}
