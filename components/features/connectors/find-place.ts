import type { Node } from "yaml";

export interface Place {
  from: number;
  to: number;
}

/**
 * Resolves an RFC 6901 pointer to its place in a document, or to the deepest part that exists; null if the document
 * cannot be parsed. JSON is YAML too. The parser loads on first use.
 */
export async function findPlace(text: string, pointer: string): Promise<Place | null> {
  const { isMap, isScalar, isSeq, parseDocument } = await import("yaml");
  const document = parseDocument(text, { schema: "core", merge: false, uniqueKeys: false, logLevel: "silent" });
  const names = pointer.split("/").slice(1);
  let current: unknown = document.contents;
  let place = placeOf(document.contents);
  for (const name of names.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))) {
    if (isSeq(current)) {
      current = current.items[Number(name)];
      place = placeOf(current as Node | null) ?? place;
    } else if (isMap(current)) {
      const pair = current.items.find(({ key }) => String(isScalar(key) ? key.value : key) === name);
      if (pair === undefined) return place;
      current = pair.value;
      // Selects only the name: the value may be a thousand lines long.
      place = placeOf(pair.key as Node | null) ?? place;
    } else return place;
  }
  return place;
}

function placeOf(node: Node | null | undefined): Place | null {
  const range = node?.range;
  return range ? { from: range[0], to: range[1] } : null;
}
