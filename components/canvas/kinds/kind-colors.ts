import type { NodeType } from "#lib/contract/graph";

export type KindColor = "trigger" | "io" | "logic" | "data" | "conn" | "llm";

/** Token of each node type's colour, see app/globals.css. Apart from the rest, because a list of workflows loads no more. */
export const KIND_COLORS: Record<NodeType, KindColor> = {
  action_input: "io",
  trigger: "trigger",
  condition: "logic",
  switch: "logic",
  loop: "logic",
  delay: "logic",
  approval: "logic",
  sub_workflow: "conn",
  code: "data",
  transform: "data",
  connector: "conn",
  llm: "llm",
  return_output: "io",
};
