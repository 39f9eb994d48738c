import { parseMarkingDigits } from "#lib/support/exact-json";

/** A JSON value that a person typed or a file contains, or why it can't be used. The value is then undefined. */
interface TypedJson {
  value: unknown;
  problem: string | null;
  /** What the parser says about a text that isn't JSON. */
  detail?: string;
}

const NOT_JSON = "This isn't valid JSON.";

/**
 * Reads JSON that is sent as it is. `JSON.parse` would turn 9007199254740993 into 9007199254740992, and 1e400 into what
 * `JSON.stringify` writes as null.
 */
export function readTypedJson(text: string): TypedJson {
  let value: unknown;
  try {
    value = parseMarkingDigits(text);
  } catch (error) {
    return { value: undefined, problem: NOT_JSON, detail: error instanceof Error ? error.message : "it can't be read" };
  }
  const place = findInexact(value);
  return place === null ? { value, problem: null } : { value: undefined, problem: describeInexact(place) };
}

/** Returns why a text that is JSON can't be used, if a number in it is the reason. */
export function describeLongNumber(text: string): string | null {
  const { problem } = readTypedJson(text);
  return problem === NOT_JSON ? null : problem;
}

function describeInexact(place: readonly string[]): string {
  const where = place.length === 0 ? "This number" : `The number at ${place.join(".")}`;
  return `${where} has more digits than a number can keep. Put it in quotes.`;
}

/** A value inside others. A text can be nested deeper than the stack is, so the places are linked. */
interface Place {
  value: unknown;
  key: string;
  parent: Place | null;
}

/** Returns the names that lead to the first number that would be changed. */
function findInexact(root: unknown): string[] | null {
  const open: Place[] = [{ value: root, key: "", parent: null }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value } = place;
    if (typeof value === "number" && !Number.isFinite(value)) return namesOf(place);
    if (typeof value !== "object" || value === null) continue;
    for (const [key, item] of Object.entries(value).reverse()) open.push({ value: item, key, parent: place });
  }
  return null;
}

function namesOf(place: Place): string[] {
  const names: string[] = [];
  for (let at: Place | null = place; at !== null && at.parent !== null; at = at.parent) names.unshift(at.key);
  return names;
}
