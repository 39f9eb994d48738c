import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { scanTemplate } from "#lib/core/expressions/scan-template";
import { createFix, FIX_BYTES } from "#lib/core/graph/checks/create-fix";
import { entriesOf } from "#lib/core/graph/checks/values-at";
import type { GraphOperation } from "#lib/core/graph/edits/graph-operations";
import { isJsonObject, setOwn } from "#lib/support/json";
import { exceedsJsonBytes } from "#lib/support/json-text/measure-json";

/**
 * Returns the operation that replaces an expression wherever one text of a node has it; null if there can be none.
 * @param field the dotted path of the text inside the node's data
 */
export function fixText(node: GraphNode, field: string, from: string, to: string): GraphOperation | null {
  return fixValue(node, field, (value) => (typeof value === "string" ? replaceExpression(value, from, to) : value));
}

/** Literal braces with the same text stay as they are. */
function replaceExpression(text: string, from: string, to: string): string {
  let replaced = "";
  let kept = 0;
  for (const part of scanTemplate(text).parts) {
    if (typeof part === "string" || part.source !== from) continue;
    replaced += text.slice(kept, part.start) + to;
    kept = part.start + from.length;
  }
  return replaced + text.slice(kept);
}

/** Returns the operation that changes one value of a node; null if there can be none. */
export function fixValue(node: GraphNode, field: string, change: (value: unknown) => unknown): GraphOperation | null {
  const data = patchOf(node.data, "", field, change);
  return data === null ? null : createFix(node, data);
}

/**
 * Objects are merged key by key, so only the changed key is named; a list is replaced as a whole. Looks at no other key
 * and copies nothing large, because thousands of problems can be in one node.
 */
function patchOf(
  container: JsonObject,
  at: string,
  field: string,
  change: (value: unknown) => unknown,
): JsonObject | null {
  const key = firstKey(container, at === "" ? field : field.slice(at.length + 1));
  if (key === null) return null;
  const value = container[key];
  const here = at === "" ? key : `${at}.${key}`;
  const isMerged = here !== field && isJsonObject(value);
  if (!isMerged && exceedsJsonBytes(value, FIX_BYTES)) return null;
  const inner = isMerged ? patchOf(value, here, field, change) : changed(value, here, field, change);
  if (inner === null) return null;
  const patch: JsonObject = {};
  setOwn(patch, key, inner);
  return patch;
}

/** Returns the key that a dotted path starts with; it can contain dots itself. */
function firstKey(object: JsonObject, path: string): string | null {
  for (let end = path.indexOf("."); end !== -1; end = path.indexOf(".", end + 1)) {
    const key = path.slice(0, end);
    if (Object.hasOwn(object, key)) return key;
  }
  return Object.hasOwn(object, path) ? path : null;
}

function changed(value: unknown, at: string, field: string, change: (value: unknown) => unknown): unknown {
  if (at === field) return change(value);
  const entries = entriesOf(at, value).map((entry): [string, unknown] => {
    const isAbove = entry.field === field || field.startsWith(`${entry.field}.`);
    return [entry.field.slice(at.length + 1), isAbove ? changed(entry.value, entry.field, field, change) : entry.value];
  });
  if (Array.isArray(value)) return entries.map(([, item]) => item);
  return isJsonObject(value) ? Object.fromEntries(entries) : value;
}
