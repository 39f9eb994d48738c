export type JsonPath = readonly (string | number)[];

/** One line of a value as it is shown. */
export interface JsonRow {
  /** The place of the value in the whole, as a JSON pointer; tells rows apart. */
  pointer: string;
  /** Null for the root. */
  name: string | number | null;
  path: JsonPath;
  depth: number;
  value: unknown;
  /** Of an object or an array; null for what holds nothing. */
  childCount: number | null;
  isOpen: boolean;
}

/** Which objects and arrays are open, by pointer, where that differs from what they are at first. */
export type OpenPlaces = ReadonlyMap<string, boolean>;

/** Open at first down to this depth, and below the first level only what is short. */
const OPEN_DEPTH = 2;
const LONG = 100;

/** The lines of a value, top to bottom, without those inside what is closed. */
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

/** A value that the search came upon. */
export interface JsonMatch {
  pointer: string;
  /** What must be open for it to be seen, outermost first. */
  around: readonly string[];
}

/**
 * Names and values in which the text stands, in the order of the lines; letter case does not matter.
 * @param max more are not looked for
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
