import type { JsonObject } from "#lib/contract/wire/json-schema";
import { nextFreeName } from "#lib/support/format/next-free-name";
import { isJsonObject } from "#lib/support/json";

/** Returns a list of named values with one more. An item that was added and never filled in makes room for it. */
export function withItem(list: unknown, item: { name: string } & JsonObject): JsonObject[] {
  const items = Array.isArray(list) ? list.filter(isJsonObject) : [];
  const filled = items.filter(({ name, value }) => name !== "" || value !== "");
  const names = new Set(filled.map(({ name }) => name));
  return [...filled, { ...item, name: nextFreeName(item.name, names) }];
}
