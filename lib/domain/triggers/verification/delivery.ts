import { LIMITS } from "#lib/contract/limits";
import type { ValuePlace } from "#lib/contract/webhooks/verification";
import { readContentType } from "#lib/core/input/content-type";
import { parseExactly } from "#lib/core/input/parse-exactly";
import { decodeJson, readEventBody } from "#lib/core/input/read-event-body";
import { FORM_MEDIA_TYPE, isForm, readFields } from "#lib/core/input/read-form";
import { jsonValuesAt, readScalars } from "#lib/support/read-scalars";

/** A request as it arrived over the wire. */
export interface Delivery {
  method: string;
  /** The trigger's address, as the sender knows it, with the query of the request. */
  url: string;
  headers: Headers;
  /** The raw bytes, before any parsing: they are what is signed. */
  body: Buffer;
  receivedAt: Date;
}

/** The values of a delivery by their place. */
export interface DeliveryValues {
  delivery: Delivery;
  /** The single value at a place; null if there is none, or more than one. */
  one(place: ValuePlace): string | null;
  /** Every value at a place that is a text, a number or a boolean. */
  all(place: ValuePlace): string[];
  /**
   * The field of the body at a path, as the sender wrote it, and empty if there is none. Null if it is an object, a list,
   * or one of several: then what is signed would not say what the body has.
   */
  field(path: string): string | null;
}

const known = new WeakMap<Delivery, DeliveryValues>();

/** Returns the values of a delivery. Its body is parsed once, and only if a value in it is asked for. */
export function valuesOf(delivery: Delivery): DeliveryValues {
  const before = known.get(delivery);
  if (before) return before;
  let parsed: { body: unknown } | undefined;
  const body = () => {
    parsed ??= { body: parseBody(delivery) };
    return parsed.body;
  };
  const all = (place: ValuePlace): string[] => {
    if ("query" in place) return new URL(delivery.url).searchParams.getAll(place.query);
    if ("body" in place) return readScalars(body(), place.body);
    const header = delivery.headers.get(place.header)?.trim();
    if (!header) return [];
    return place.part === undefined ? [header] : readParts(header, place.part);
  };
  const one = (place: ValuePlace): string | null => {
    const found = all(place);
    return found.length === 1 ? (found[0] ?? null) : null;
  };
  const field = (path: string): string | null => {
    const [first, ...others] = jsonValuesAt(body(), path);
    if (others.length > 0 || typeof first === "object") return first === null && others.length === 0 ? "" : null;
    return first === undefined ? "" : String(first);
  };
  const values = { delivery, one, all, field };
  known.set(delivery, values);
  return values;
}

/** What is not genuine must cost little, so a large or unreadable body has no values. */
function parseBody({ headers, body }: Delivery): unknown {
  if (body.byteLength === 0 || body.byteLength > LIMITS.inlineJsonBytes) return null;
  const header = headers.get("content-type");
  const { type, charset } = readContentType(header);
  try {
    if (type === FORM_MEDIA_TYPE || type.startsWith("multipart/")) return readEventBody(body, header);
    return parseExactly(decodeJson(body, charset) ?? "");
  } catch {
    return null;
  }
}

/**
 * Returns the fields of a form, sorted, each name followed by its value; empty for any other body. Twilio signs a value that
 * is repeated once.
 * @returns null for more fields than a form may have
 */
export function sortedParams({ headers, body }: Delivery): string | null {
  if (!isForm(headers)) return "";
  const fields = readFields(body);
  return (
    fields
      ?.toSorted(([name, value], [other, another]) => compare(name, other) || compare(value, another))
      .filter(([name, value], at, sorted) => sorted[at - 1]?.[0] !== name || sorted[at - 1]?.[1] !== value)
      .map(([name, value]) => name + value)
      .join("") ?? null
  );
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** `t=1,v1=ab`, `ts=1;h1=ab` and `v1,ab v1,cd`: the values after the name. */
function readParts(header: string, name: string): string[] {
  return [...header.matchAll(/(?:^|[\s,;])([^\s,;=]+)[=,]([^\s,;]+)/g)].flatMap(([, found, value = ""]) =>
    found === name ? [value] : [],
  );
}
