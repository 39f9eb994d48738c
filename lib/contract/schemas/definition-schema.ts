import { z } from "zod";
import { graphEdgeSchema, graphNodeSchema, type NodeType } from "#lib/contract/graph";

/** A stored definition as answers carry it. Which types of node exist is known to the registry of step kinds alone. */
export const definitionObjectSchema = z.object({
  nodes: z.array(graphNodeSchema.extend({ type: z.custom<NodeType>((type) => typeof type === "string") })),
  edges: z.array(graphEdgeSchema),
});
