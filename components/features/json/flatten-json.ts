export type JsonPath = readonly (string | number)[];

/** One displayed line of a value. */
export interface JsonRow {
  /** The JSON pointer of the value within the whole; unique per row. */
  pointer: string;
  /** Null for the root. */
  name: string | number | null;
  path: JsonPath;
  depth: number;
  value: unknown;
  /** The number of fields or items of an object or array; null if it has none. */
  childCount: number | null;
  isOpen: boolean;
}

/** Which objects and arrays are open, by pointer, if they differ from their initial state. */
export type OpenPlaces = ReadonlyMap<string, boolean>;

/** Objects and arrays are initially open down to this depth; below the first level, only short ones. */
const OPEN_DEPTH = 2;
const LONG = 100;

/** Returns the lines of a value from top to bottom, without the contents of closed rows. */
export function flattenJson(value: unknown, places: OpenPlaces): JsonRow[] {
  const rows: JsonRow[] = [];
  visit({ rows, places }, { pointer: "", name: null, path: [], value });
  return rows;
}

interface Flattening {
  rows: JsonRow[];
  places: OpenPlaces;
}

function visit(flattening: Flattening, place: Pick<JsonRow, "pointer" | "name" | "path" | "value">): void {
  const { pointer, path, value } = place;
  const children = childrenOf(value);
  const childCount = children === null || children.length === 0 ? null : children.length;
  const isOpen =
    childCount !== null &&
    (flattening.places.get(pointer) ?? (path.length < OPEN_DEPTH && (path.length === 0 || childCount <= LONG)));
  flattening.rows.push({ ...place, depth: path.length, childCount, isOpen });
  if (!isOpen) return;
  for (const [name, child] of children ?? []) {
    visit(flattening, { pointer: pointerTo(pointer, name), name, path: [...path, name], value: child });
  }
}

function childrenOf(value: unknown): [string | number, unknown][] | null {
  if (Array.isArray(value)) return value.map((item, index) => [index, item]);
  return typeof value === "object" && value !== null ? Object.entries(value) : null;
}

function pointerTo(parent: string, name: string | number): string {
  return `${parent}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** A search match. */
export interface JsonMatch {
  pointer: string;
  /** The pointers that must be open for the match to be visible, outermost first. */
  around: readonly string[];
}

/**
 * Finds names and values that contain the text, in the order of the lines, ignoring case.
 * @param max the search stops after this many matches
 */
export function searchJson(value: unknown, text: string, max: number): JsonMatch[] {
  const matches: JsonMatch[] = [];
  const wanted = text.toLowerCase();
  const look = (place: unknown, name: string | number | null, pointer: string, around: readonly string[]): void => {
    if (matches.length >= max) return;
    const children = childrenOf(place);
    const isNamed = typeof name === "string" && name.toLowerCase().includes(wanted);
    if (isNamed || (children === null && String(place).toLowerCase().includes(wanted)))
      matches.push({ pointer, around });
    if (children === null) return;
    const inside = [...around, pointer];
    for (const [childName, child] of children) look(child, childName, pointerTo(pointer, childName), inside);
  };
  look(value, null, "", []);
  return matches;
}
