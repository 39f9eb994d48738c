import { z } from "zod";
import { NODE_ID_PATTERN } from "#lib/contract/workflow/node-id";

const position = z.object({ x: z.number(), y: z.number() });

export const graphNodeSchema = z.object({
  id: z
    .string()
    .regex(NODE_ID_PATTERN, "must start with a letter or _ and contain only letters, digits and _ (up to 64)"),
  /** The registry of step kinds defines the valid types: lib/core/steps/definition-schema.ts. */
  type: z.string(),
  position: position.default({ x: 0, y: 0 }),
  /** The id of the loop whose body contains the node. */
  parentId: z.string().optional(),
  data: z.record(z.string(), z.unknown()).default({}),
});

/**
 * Defines a node. The registry of step kinds (lib/core/steps/step-kinds.ts) passes `types`, the union of its types, so
 * that a new kind needs no line here.
 */
export interface NodeRegister {
  shape: z.infer<typeof graphNodeSchema>;
}
/** The types of node that a definition can contain (decisions, The graph document). */
export type NodeType = NodeRegister["types"];
/** The purpose of a step, which also determines its color. */
export const STEP_CATEGORIES = ["trigger", "input_output", "logic", "data", "call", "ai"] as const;
export type StepCategory = (typeof STEP_CATEGORIES)[number];
export type GraphNode = NodeRegister["shape"] & { type: NodeType };

export const graphEdgeSchema = z.object({
  id: z.string().min(1).max(200),
  source: z.string(),
  target: z.string(),
  /** The branch of the source; without it, the edge is taken when the source completed. */
  sourceHandle: z.string().nullish(),
});
export type GraphEdge = z.infer<typeof graphEdgeSchema>;

export interface Definition {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

export const EMPTY_DEFINITION: Definition = { nodes: [], edges: [] };
