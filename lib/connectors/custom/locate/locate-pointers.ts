import { locateInJson } from "#lib/connectors/custom/locate/locate-in-json";
import { locateInYaml } from "#lib/connectors/custom/locate/locate-in-yaml";

/** A part of a document that is looked for, with the parts inside it. */
export interface Wanted {
  parts: Map<string, Wanted>;
  /** The offset of its key in the text; null until it is found. */
  at: number | null;
}

export interface TextPlace {
  /** From 1. */
  line: number;
  column: number;
}

/**
 * Finds the places of RFC 6901 pointers in a JSON or YAML text, in one pass over it. A pointer that leads nowhere, or
 * into brackets within YAML, gets the place of the deepest part that was found.
 */
export function locatePointers(text: string, pointers: readonly string[]): (TextPlace | null)[] {
  const root: Wanted = { parts: new Map(), at: null };
  const paths = pointers.map((pointer) => addPath(root, pointer));
  if (/^\s*[[{]/.test(text)) locateInJson(text, root);
  else locateInYaml(text, root);
  const offsets = paths.map((path) => path.findLast(({ at }) => at !== null)?.at ?? null);
  return placesOf(text, offsets);
}

function addPath(root: Wanted, pointer: string): Wanted[] {
  let current = root;
  return pointer
    .split("/")
    .slice(1)
    .map((part) => {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      const next = current.parts.get(name) ?? { parts: new Map(), at: null };
      current.parts.set(name, next);
      current = next;
      return next;
    });
}

/** Counts lines once, up to the last of the offsets. */
function placesOf(text: string, offsets: readonly (number | null)[]): (TextPlace | null)[] {
  const places = new Map<number, TextPlace>();
  let [line, start] = [1, 0];
  for (const offset of [...new Set(offsets)].filter((one) => one !== null).sort((a, b) => a - b)) {
    for (let end = text.indexOf("\n", start); end >= 0 && end < offset; end = text.indexOf("\n", start)) {
      line += 1;
      start = end + 1;
    }
    places.set(offset, { line, column: offset - start + 1 });
  }
  return offsets.map((offset) => (offset === null ? null : (places.get(offset) ?? null)));
}
