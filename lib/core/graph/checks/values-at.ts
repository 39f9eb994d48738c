import { isJsonObject } from "#lib/support/json";

interface PlacedValue {
  /** Its dotted path. */
  field: string;
  value: unknown;
}

/** The values at a pattern of dotted keys, `*` meaning every item. Values of any shape can be read: a draft may hold anything. */
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

/** The items of a list or an object; none for any other value. */
export function entriesOf(field: string, value: unknown): PlacedValue[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).map(([key, item]) => ({ field: joined(field, key), value: item }));
}

function joined(field: string, key: string): string {
  return field === "" ? key : `${field}.${key}`;
}
