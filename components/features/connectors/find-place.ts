import type { Event, ScalarEvent } from "js-yaml";

export interface Place {
  from: number;
  to: number;
}

/** More than a document may have (`lib/connectors/custom/document/parse-document.ts`). */
const DEPTH_MAX = 200;

/**
 * Resolves an RFC 6901 pointer to its place in a document, or to the deepest part that exists; null if the document
 * cannot be parsed. JSON is YAML too. The parser loads on first use.
 */
export async function findPlace(text: string, pointer: string): Promise<Place | null> {
  const { COLLECTION_STYLE, EVENT_ID, getScalarValue, parseEvents, YAMLException } = await import("js-yaml");
  let events: Event[];
  try {
    events = parseEvents(text, { maxDepth: DEPTH_MAX });
  } catch (error) {
    if (error instanceof YAMLException) return null;
    throw error;
  }

  /** Returns the index after the node at `index`. */
  const skip = (index: number): number => {
    let open = 0;
    let next = index;
    do {
      const type = events[next]?.type;
      if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) open += 1;
      else if (type === EVENT_ID.POP) open -= 1;
      next += 1;
    } while (open > 0);
    return next;
  };
  const isEnd = (index: number) => (events[index]?.type ?? EVENT_ID.POP) === EVENT_ID.POP;
  /** Returns the indexes of a member of the collection at `index`: of its key, if it has one, and of its value. */
  const find = (index: number, name: string): { key: number; value: number } | null => {
    const type = events[index]?.type;
    if (type !== EVENT_ID.MAPPING && type !== EVENT_ID.SEQUENCE) return null;
    let place = 0;
    for (let key = index + 1; !isEnd(key); place += 1) {
      const value = type === EVENT_ID.MAPPING ? skip(key) : key;
      const event = events[key];
      const isNamed = event?.type === EVENT_ID.SCALAR && getScalarValue(text, event) === name;
      if (type === EVENT_ID.MAPPING ? isNamed : place === Number(name)) return { key, value };
      key = skip(value);
    }
    return null;
  };

  /** Returns the place of a node, from its first character to its last. */
  const placeAt = (index: number): Place | null => {
    const first = events[index];
    if (first === undefined) return null;
    const closings: boolean[] = [];
    let to = 0;
    for (const event of events.slice(index, skip(index))) {
      if ("valueEnd" in event) to = event.valueEnd + quotesAround(text, event);
      else if (event.type === EVENT_ID.ALIAS) to = event.anchorEnd;
      else if ("start" in event) closings.push(event.style === COLLECTION_STYLE.FLOW);
      else if (closings.pop()) to += /^[\s,]*[\]}]?/.exec(text.slice(to))?.[0].length ?? 0;
    }
    if ("start" in first) return { from: first.start, to: Math.max(to, first.start + 1) };
    return "valueStart" in first && first.valueStart >= 0
      ? { from: first.valueStart - quotesAround(text, first), to }
      : null;
  };

  // The first event opens the document.
  let current = 1;
  let place = placeAt(current);
  for (const name of pointer.split("/").slice(1)) {
    const member = find(current, name.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (member === null) return place;
    // Of a mapping only the name: the value may be a thousand lines long.
    place = placeAt(member.key) ?? place;
    current = member.value;
  }
  return place;
}

/** Returns 1 for a value in quotation marks, which are part of its place, else 0. */
function quotesAround(text: string, { valueStart }: ScalarEvent): number {
  return /["']/.test(text[valueStart - 1] ?? "") ? 1 : 0;
}
