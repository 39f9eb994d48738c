import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { graphEdgeSchema, graphNodeSchema } from "#lib/contract/workflow/graph";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";

export const stepNodeSchema = graphNodeSchema.extend({ type: z.enum(STEP_TYPES) });

/**
 * The shape of every stored definition. A draft does not have to be publishable, so `data` stays open here;
 * `validateGraph` contains the rules for publishing.
 */
export const definitionSchema = z.object({
  nodes: z.array(stepNodeSchema).max(LIMITS.graphNodes),
  edges: z.array(graphEdgeSchema).max(LIMITS.graphEdges),
});
