import type { StepCategory } from "#lib/contract/workflow/graph";

/** Color token of each category (see app/globals.css). */
const TOKENS: Record<StepCategory, string> = {
  trigger: "--k-trigger",
  input_output: "--k-io",
  logic: "--k-logic",
  data: "--k-data",
  call: "--k-conn",
  ai: "--k-llm",
};

/** Returns the color of a step category as a CSS value. Thumbnails load this file without any step kind. */
export function categoryColor(category: StepCategory): string {
  return `var(${TOKENS[category]})`;
}
