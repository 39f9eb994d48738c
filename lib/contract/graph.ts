import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";

/** The node types a definition may hold (contract, Workflows and versions; decisions, The graph document). */
export const NODE_TYPES = [
  "action_input",
  "trigger",
  "condition",
  "switch",
  "loop",
  "delay",
  "approval",
  "sub_workflow",
  "code",
  "transform",
  "connector",
  "llm",
  "return_output",
] as const;
export type NodeType = (typeof NODE_TYPES)[number];

export const NODE_ID_PATTERN = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** Names that always mean the entry node in an expression, whatever its id (decisions, The graph document). */
export const ENTRY_NAMES = ["action_input", "trigger"] as const;

const position = z.object({ x: z.number(), y: z.number() });

export const graphNodeSchema = z.object({
  id: z
    .string()
    .regex(NODE_ID_PATTERN, "must start with a letter or _ and hold only letters, digits and _ (64 at most)"),
  type: z.enum(NODE_TYPES),
  position: position.default({ x: 0, y: 0 }),
  /** The loop whose body the node belongs to. */
  parentId: z.string().optional(),
  data: z.record(z.string(), z.unknown()).default({}),
});
export type GraphNode = z.infer<typeof graphNodeSchema>;

export const graphEdgeSchema = z.object({
  id: z.string().min(1).max(200),
  source: z.string(),
  target: z.string(),
  /** Which output of the source; absent is "when it completed". */
  sourceHandle: z.string().nullish(),
});
export type GraphEdge = z.infer<typeof graphEdgeSchema>;

/**
 * The shape every stored definition has. A draft need not be publishable, so `data` stays open here;
 * `validateGraph` holds the rules of publishing.
 */
export const definitionSchema = z.object({
  nodes: z.array(graphNodeSchema).max(LIMITS.graphNodes),
  edges: z.array(graphEdgeSchema).max(LIMITS.graphEdges),
});
export type Definition = z.infer<typeof definitionSchema>;

export const EMPTY_DEFINITION: Definition = { nodes: [], edges: [] };
