import type { JsonObject } from "#lib/contract/json-schema";
import { isJsonObject } from "#lib/support/json";

/** Returns a list of named values with one more. An item that was added and never filled in makes room for it. */
export function withItem(list: unknown, item: { name: string } & JsonObject): JsonObject[] {
  const items = Array.isArray(list) ? list.filter(isJsonObject) : [];
  const filled = items.filter(({ name, value }) => name !== "" || value !== "");
  const names = filled.map(({ name }) => name);
  return [...filled, { ...item, name: freeName(item.name, names) }];
}

/** Returns the name; with a number if it is taken. */
export function freeName(name: string, taken: readonly unknown[]): string {
  let free = name;
  for (let suffix = 2; taken.includes(free); suffix += 1) free = `${name}_${suffix}`;
  return free;
}
