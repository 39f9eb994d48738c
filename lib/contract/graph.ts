import { z } from "zod";

export const NODE_ID_PATTERN = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

const position = z.object({ x: z.number(), y: z.number() });

export const graphNodeSchema = z.object({
  id: z
    .string()
    .regex(NODE_ID_PATTERN, "must start with a letter or _ and hold only letters, digits and _ (64 at most)"),
  /** The registry of step kinds says which types there are: lib/core/steps/definition-schema.ts. */
  type: z.string(),
  position: position.default({ x: 0, y: 0 }),
  /** The loop whose body the node belongs to. */
  parentId: z.string().optional(),
  data: z.record(z.string(), z.unknown()).default({}),
});

/**
 * What a node is made of. The registry of step kinds (lib/core/steps/step-kinds.ts) adds `types`, the union of the types
 * that it holds, so that a new kind needs no line here.
 */
export interface NodeRegister {
  shape: z.infer<typeof graphNodeSchema>;
}
/** The types of node that a definition may hold (decisions, The graph document). */
export type NodeType = NodeRegister["types"];
/** What a step is for. Its color follows from it. */
export const STEP_CATEGORIES = ["trigger", "input_output", "logic", "data", "call", "ai"] as const;
export type StepCategory = (typeof STEP_CATEGORIES)[number];
export type GraphNode = NodeRegister["shape"] & { type: NodeType };

export const graphEdgeSchema = z.object({
  id: z.string().min(1).max(200),
  source: z.string(),
  target: z.string(),
  /** Which output of the source; absent is "when it completed". */
  sourceHandle: z.string().nullish(),
});
export type GraphEdge = z.infer<typeof graphEdgeSchema>;

export interface Definition {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

export const EMPTY_DEFINITION: Definition = { nodes: [], edges: [] };
