import type { GraphNode } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import { FIX_BYTES } from "#lib/core/graph/checks/fix-text";
import type { GraphOperation } from "#lib/core/graph/edits/graph-operations";
import { getPath } from "#lib/support/get-path";
import { exceedsJsonBytes, isJsonObject } from "#lib/support/json";

/**
 * Returns the operation that renames a key of an object in a node's data; null if the new key exists or the operation
 * would be large.
 * @param at the path of the object, through objects only
 */
export function renameKey(node: GraphNode, at: readonly string[], from: string, to: string): GraphOperation | null {
  const object = getPath(node.data, at);
  if (!isJsonObject(object) || Object.hasOwn(object, to)) return null;
  const change: JsonObject = { [from]: null, [to]: object[from] };
  const data = at.toReversed().reduce<JsonObject>((inner, key) => ({ [key]: inner }), change);
  return exceedsJsonBytes(data, FIX_BYTES) ? null : { op: "update_node", node_id: node.id, data };
}
