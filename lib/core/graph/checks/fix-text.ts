import type { GraphNode } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import { entriesOf } from "#lib/core/graph/checks/values-at";
import type { GraphOperation } from "#lib/core/graph/edits/graph-operations";
import { exceedsJsonBytes, isJsonObject, setOwn } from "#lib/support/json";

/** A fix repeats the list that contains the text. Of 200 problems with larger ones, the answer would have megabytes. */
export const FIX_BYTES = 4_096;

/**
 * Returns the operation that replaces a part of one text of a node; null if the operation would be large.
 * @param field the dotted path of the text inside the node's data
 */
export function fixText(node: GraphNode, field: string, from: string, to: string): GraphOperation | null {
  return fixValue(node, field, (value) => (typeof value === "string" ? value.replaceAll(from, to) : value));
}

/** Returns the operation that changes one value of a node; null if the operation would be large. */
export function fixValue(node: GraphNode, field: string, change: (value: unknown) => unknown): GraphOperation | null {
  const data = patchOf(node.data, "", field, change);
  return data === null || exceedsJsonBytes(data, FIX_BYTES) ? null : { op: "update_node", node_id: node.id, data };
}

/** Objects are merged key by key, so only the changed key is named; a list is replaced as a whole. */
function patchOf(
  container: JsonObject,
  at: string,
  field: string,
  change: (value: unknown) => unknown,
): JsonObject | null {
  for (const entry of entriesOf(at, container)) {
    if (entry.field !== field && !field.startsWith(`${entry.field}.`)) continue;
    const key = at === "" ? entry.field : entry.field.slice(at.length + 1);
    const inner =
      entry.field !== field && isJsonObject(entry.value)
        ? patchOf(entry.value, entry.field, field, change)
        : changed(entry.value, entry.field, field, change);
    if (inner === null) return null;
    const patch: JsonObject = {};
    setOwn(patch, key, inner);
    return patch;
  }
  return null;
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
