import type { GraphNode } from "#lib/contract/graph";
import { NODE_KINDS } from "#lib/graph/node-kinds";
import { isJsonObject } from "#lib/support/json";

/** A text of a node's configuration in which expressions count. `field` is its dotted path inside `data`. */
export interface TemplateText {
  field: string;
  text: string;
}

/** Every template of a node that holds `{{`. It reads data of any shape: a draft may hold anything. */
export function listTemplates(node: GraphNode): TemplateText[] {
  const found: TemplateText[] = [];
  for (const pattern of NODE_KINDS[node.type].templates) collect(node.data, pattern.split("."), "", found);
  return found;
}

/** Follows the pattern, `*` meaning every item, and takes every text at its end or below. */
function collect(value: unknown, pattern: readonly string[], field: string, found: TemplateText[]): void {
  if (typeof value === "string") {
    if (pattern.length === 0 && value.includes("{{")) found.push({ field, text: value });
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const [wanted = "*", ...rest] = pattern;
  if (wanted !== "*" && !isJsonObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    if (wanted === "*" || wanted === key) collect(item, rest, field === "" ? key : `${field}.${key}`, found);
  }
}
