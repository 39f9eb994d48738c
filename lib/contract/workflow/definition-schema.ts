import { z } from "zod";
import { graphEdgeSchema, graphNodeSchema, type NodeType } from "#lib/contract/workflow/graph";

/** A stored definition in a response. Only the registry of step kinds knows the types of nodes. */
export const definitionObjectSchema = z.object({
  nodes: z.array(graphNodeSchema.extend({ type: z.custom<NodeType>((type) => typeof type === "string") })),
  edges: z.array(graphEdgeSchema),
});
