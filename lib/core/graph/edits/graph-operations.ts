import { z } from "zod";
import { NODE_ID_PATTERN } from "#lib/contract/workflow/node-id";
import { stepNodeSchema } from "#lib/core/steps/definition-schema";

const nodeId = z.string().max(64).describe("The id of a node.");
const handle = z
  .string()
  .max(64)
  .optional()
  .describe("The branch of the source; leave it out for the edge taken when the source completed.");
const newId = z
  .string()
  .regex(NODE_ID_PATTERN, "must start with a letter or _ and contain only letters, digits and _ (up to 64)");

const addNode = z.strictObject({ op: z.literal("add_node"), node: stepNodeSchema });
const updateNode = z.strictObject({
  op: z.literal("update_node"),
  node_id: nodeId,
  data: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "Merged into the node's data: objects are merged key by key, null removes a key, everything else is replaced.",
    ),
  position: z.object({ x: z.number(), y: z.number() }).optional(),
  parentId: z
    .string()
    .max(64)
    .optional()
    .describe("The id of the loop that the node moves into; an empty string moves it out of its loop."),
});
const renameNode = z
  .strictObject({ op: z.literal("rename_node"), node_id: nodeId, new_id: newId })
  .describe("Edges and expressions are updated. The label that people see is data.name.");
const removeNode = z
  .strictObject({ op: z.literal("remove_node"), node_id: nodeId })
  .describe("Also removes its edges and, for a loop, the steps inside it.");
const addEdge = z.strictObject({ op: z.literal("add_edge"), source: nodeId, target: nodeId, sourceHandle: handle });
const removeEdge = z.strictObject({
  op: z.literal("remove_edge"),
  source: nodeId,
  target: nodeId,
  sourceHandle: handle,
});

/**
 * A single change of a definition. These operations can turn any definition into any other, and they refer to nodes and
 * edges by the ids in the definition (decisions, MCP). The schemas are strict, so a misspelled field is an error
 * instead of silently changing something else.
 */
export const graphOperationSchema = z.discriminatedUnion(
  "op",
  [addNode, updateNode, renameNode, removeNode, addEdge, removeEdge],
  "must be one of: add_node, update_node, rename_node, remove_node, add_edge, remove_edge",
);
export type GraphOperation = z.output<typeof graphOperationSchema>;
