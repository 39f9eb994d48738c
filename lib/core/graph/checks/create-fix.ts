import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { GraphOperation } from "#lib/core/graph/edits/graph-operations";
import { findCredentials } from "#lib/core/redaction/find-credentials";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";
import { exceedsJsonBytes } from "#lib/support/json-text/measure-json";

/** A fix repeats the list that contains the text. Of 200 problems with larger ones, the answer would have megabytes. */
export const FIX_BYTES = 4_096;

/**
 * Returns the operation that merges a patch into a node's data; null if it would be large, or repeat a secret to those who
 * read problems and see the settings of the step masked.
 */
export function createFix(node: GraphNode, data: JsonObject): GraphOperation | null {
  if (exceedsJsonBytes(data, FIX_BYTES) || findCredentials(data).length > 0) return null;
  return { op: "update_node", node_id: node.id, data };
}

/**
 * Returns the operation that renames a key of an object in a node's data; null if the new key exists or there can be
 * none.
 * @param at the path of the object, through objects only
 */
export function renameKey(node: GraphNode, at: readonly string[], from: string, to: string): GraphOperation | null {
  const object = getPath(node.data, at);
  if (!isJsonObject(object) || Object.hasOwn(object, to)) return null;
  const change: JsonObject = { [from]: null, [to]: object[from] };
  return patchNode(node, at, change);
}

/** Returns the operation that merges a value into a node's data; null if there can be none. */
export function patchNode(node: GraphNode, at: readonly string[], value: unknown): GraphOperation | null {
  return createFix(node, at.toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), value) as JsonObject);
}
