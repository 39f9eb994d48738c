import { isJsonObject } from "#lib/support/json";

/** A list of objects inside a value. */
export interface JsonTableSource {
  path: readonly (string | number)[];
  rows: readonly Readonly<Record<string, unknown>>[];
}

/** Lists that are nested deeper are not offered as tables. */
const DEPTH_MAX = 3;
/** The columns are those of the first rows: a list from a service rarely has others later. */
const SAMPLED_ROWS = 200;
const COLUMNS_MAX = 50;

/** Returns true for a list that has at least one item and of which every item is an object. */
export function isTable(value: unknown): value is JsonTableSource["rows"] {
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
}

/** Finds the lists of objects in a value, outermost first. It does not look into the items of lists. */
export function listTables(value: unknown): JsonTableSource[] {
  const found: JsonTableSource[] = [];
  const look = (inner: unknown, path: JsonTableSource["path"]): void => {
    if (isTable(inner)) found.push({ path, rows: inner });
    else if (isJsonObject(inner) && path.length < DEPTH_MAX) {
      for (const [key, child] of Object.entries(inner)) look(child, [...path, key]);
    }
  };
  look(value, []);
  return found.sort((a, b) => a.path.length - b.path.length);
}

/** Returns the names of the columns, in the order in which they first occur. */
export function listColumns(rows: JsonTableSource["rows"]): string[] {
  const names = new Set<string>();
  for (const row of rows.slice(0, SAMPLED_ROWS)) for (const name of Object.keys(row)) names.add(name);
  return [...names].slice(0, COLUMNS_MAX);
}
