import type { JsonObject } from "#lib/contract/wire/json-schema";

/** Returns the name that people see: the node's label, or its id if it has none. */
export function nodeLabel(node: { id: string; data: JsonObject }): string {
  const name = node.data.name;
  return typeof name === "string" && name.trim() !== "" ? name : node.id;
}
