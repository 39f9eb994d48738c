import type { GraphNode } from "#lib/contract/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { isJsonObject } from "#lib/support/json";

/** A text of a node's configuration in which expressions count. `field` is its dotted path inside `data`. */
export interface TemplateText {
  field: string;
  text: string;
  /** True where it may name what the node's own body gave. */
  isOfBody: boolean;
}

/** Every template of a node that holds `{{`. It reads data of any shape: a draft may hold anything. */
export function listTemplates(node: GraphNode): TemplateText[] {
  const found: TemplateText[] = [];
  const { templates, bodyTemplates } = STEP_KINDS[node.type];
  for (const pattern of templates) collect(node.data, pattern.split("."), { field: "", isOfBody: false }, found);
  for (const pattern of bodyTemplates) collect(node.data, pattern.split("."), { field: "", isOfBody: true }, found);
  return found;
}

/** Follows the pattern, `*` meaning every item, and takes every text at its end or below. */
function collect(
  value: unknown,
  pattern: readonly string[],
  { field, isOfBody }: Omit<TemplateText, "text">,
  found: TemplateText[],
): void {
  if (typeof value === "string") {
    if (pattern.length === 0 && value.includes("{{")) found.push({ field, text: value, isOfBody });
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const [wanted = "*", ...rest] = pattern;
  if (wanted !== "*" && !isJsonObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    if (wanted === "*" || wanted === key) {
      collect(item, rest, { field: field === "" ? key : `${field}.${key}`, isOfBody }, found);
    }
  }
}
