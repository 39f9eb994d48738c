import { isJsonObject } from "#lib/support/json";

interface PlacedValue {
  /** The value's dotted path. */
  field: string;
  value: unknown;
}

/**
 * Returns the values at a pattern of dotted keys, where `*` means every item. Accepts values of any shape, because a
 * draft may contain anything.
 */
export function valuesAt(root: unknown, pattern: string): PlacedValue[] {
  return pattern
    .split(".")
    .reduce<PlacedValue[]>(
      (found, wanted) => found.flatMap((place) => step(place, wanted)),
      [{ field: "", value: root }],
    );
}

function step({ field, value }: PlacedValue, wanted: string): PlacedValue[] {
  if (wanted === "*") return entriesOf(field, value);
  if (!isJsonObject(value) || !Object.hasOwn(value, wanted)) return [];
  return [{ field: joined(field, wanted), value: value[wanted] }];
}

/** Lists the items of a list or an object; empty for any other value. */
export function entriesOf(field: string, value: unknown): PlacedValue[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).map(([key, item]) => ({ field: joined(field, key), value: item }));
}

function joined(field: string, key: string): string {
  return field === "" ? key : `${field}.${key}`;
}
