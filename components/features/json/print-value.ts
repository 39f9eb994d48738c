import { formatCount } from "#lib/support/format/format-number";

const SHOWN_LENGTH = 120;
/** A larger list or object is counted instead of printed, because printing it only to shorten it takes long. */
const PRINTED_ITEMS = 20;

/** Returns a value on one short line. */
export function printValue(value: unknown): string {
  if (Array.isArray(value))
    return value.length > PRINTED_ITEMS || isDeep(value) ? formatCount(value.length, "item") : print(value);
  if (typeof value !== "object" || value === null) return print(value);
  const count = Object.keys(value).length;
  return count > PRINTED_ITEMS || isDeep(Object.values(value)) ? formatCount(count, "field") : print(value);
}

function isDeep(items: readonly unknown[]): boolean {
  return items.some((item) => typeof item === "object" && item !== null);
}

function print(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value.slice(0, SHOWN_LENGTH)) : (JSON.stringify(value) ?? "");
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
