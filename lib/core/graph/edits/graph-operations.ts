import { z } from "zod";
import { NODE_ID_PATTERN } from "#lib/contract/graph";
import { stepNodeSchema } from "#lib/core/steps/definition-schema";

const nodeId = z.string().max(64).describe("id of a node.");
const handle = z.string().max(64).optional().describe("Way out of the source; absent: when it completed.");
const newId = z
  .string()
  .regex(NODE_ID_PATTERN, "must start with a letter or _ and hold only letters, digits and _ (64 at most)");

const addNode = z.strictObject({ op: z.literal("add_node"), node: stepNodeSchema });
const updateNode = z.strictObject({
  op: z.literal("update_node"),
  node_id: nodeId,
  data: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Merged into the node's data: objects key by key, null removes a key, everything else replaces."),
  position: z.object({ x: z.number(), y: z.number() }).optional(),
  parentId: z.string().max(64).optional().describe("The loop the node moves into; an empty text takes it out."),
});
const renameNode = z
  .strictObject({ op: z.literal("rename_node"), node_id: nodeId, new_id: newId })
  .describe("Edges and expressions follow. The label that people see is data.name.");
const removeNode = z
  .strictObject({ op: z.literal("remove_node"), node_id: nodeId })
  .describe("With its edges; of a loop also its body.");
const addEdge = z.strictObject({ op: z.literal("add_edge"), source: nodeId, target: nodeId, sourceHandle: handle });
const removeEdge = z.strictObject({
  op: z.literal("remove_edge"),
  source: nodeId,
  target: nodeId,
  sourceHandle: handle,
});

/**
 * One change of a definition. Any definition can be made of any other by these, and each names what it means by the
 * definition's own words (decisions, MCP). Strict: a field that is misspelt must not change something else in silence.
 */
export const graphOperationSchema = z.discriminatedUnion(
  "op",
  [addNode, updateNode, renameNode, removeNode, addEdge, removeEdge],
  "must be one of: add_node, update_node, rename_node, remove_node, add_edge, remove_edge",
);
export type GraphOperation = z.output<typeof graphOperationSchema>;
