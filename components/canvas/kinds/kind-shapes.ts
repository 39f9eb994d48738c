import type { NodeType } from "#lib/contract/graph";

type KindColor = "trigger" | "io" | "logic" | "data" | "conn" | "llm";

/**
 * Token of each step kind's color, see app/globals.css. Not in the kinds' own files: the list of workflows draws thumbnails
 * and loads no icon, no summary and no schema for them.
 */
const KIND_COLORS: Record<NodeType, KindColor> = {
  action_input: "io",
  trigger: "trigger",
  condition: "logic",
  switch: "logic",
  loop: "logic",
  filter: "data",
  delay: "logic",
  approval: "logic",
  sub_workflow: "conn",
  code: "data",
  transform: "data",
  connector: "conn",
  llm: "llm",
  return_output: "io",
};

/** The kinds drawn as a frame around other steps: those whose definition says `holdsBody`. */
const FRAME_KINDS: readonly NodeType[] = ["loop"];

export function isFrameKind(type: NodeType): boolean {
  return FRAME_KINDS.includes(type);
}

/** Returns the color of a step kind as a CSS value. */
export function kindColor(type: NodeType): string {
  return `var(--k-${KIND_COLORS[type]})`;
}
