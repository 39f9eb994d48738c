import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject, PropertyType } from "#lib/contract/wire/json-schema";
import { losesDigits } from "#lib/support/exact-json";
import { fitsType } from "#lib/support/json";
import { parseDecimal } from "#lib/support/numbers/decimal";
import { readNumber } from "#lib/support/numbers/read-number";
import { parseBoundedJson } from "#lib/support/scan-json";

/** Zeros before a number, as in the month that `format_date` writes. They say nothing, unlike those of a text. */
const FIRST_ZEROS = /^(\s*-?)0+(?=\d)/;

/** The text has a number that would lose digits. */
const LONG = Symbol("long");

/**
 * Converts a value to the type that its output property declares, if there is only one sensible way:
 * - null stays null: an unknown path is null, and every output property may be absent;
 * - string: numbers and booleans become text;
 * - number, integer: a text that is a number; an integer has no fraction (`"3"` and 3.0 fit, 3.5 does not);
 * - boolean: the texts "true" and "false";
 * - object, array: a text that is JSON of that type.
 * A text with a number that would lose digits is refused, because the output would have another number. Everything else is
 * refused: an object never becomes "[object Object]", and 1 never becomes a boolean.
 * @throws StepError VALIDATION_ERROR naming the field (contract, Errors)
 */
export function coerceValue(name: string, type: PropertyType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (fitsType(type, value)) return value;
  const coerced = coerce(type, value);
  if (coerced === LONG) {
    const problem = `must be of type ${type}, but ${describe(value)} has a number beyond 2^53, which would lose digits`;
    throw new StepError("VALIDATION_ERROR", `${name} ${problem}. Declare ${name} as a string`);
  }
  if (coerced !== undefined && fitsType(type, coerced)) return coerced;
  throw new StepError("VALIDATION_ERROR", `${name} must be of type ${type}, but is ${describe(value)}`);
}

function coerce(type: PropertyType, value: unknown): unknown {
  switch (type) {
    case "string":
      return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
    case "number":
    case "integer":
      return typeof value === "string" ? numberIn(value) : undefined;
    case "boolean":
      return value === "true" ? true : value === "false" ? false : undefined;
    case "object":
    case "array":
      return typeof value === "string" ? parsed(value) : undefined;
  }
}

function numberIn(text: string): unknown {
  const digits = text.replace(FIRST_ZEROS, "$1");
  return readNumber(digits) ?? (losesDigits(digits.trim()) && parseDecimal(digits) !== null ? LONG : undefined);
}

function parsed(text: string): unknown {
  try {
    let hasLong = false;
    const value = parseBoundedJson(text, () => {
      hasLong = true;
    });
    return hasLong ? LONG : (value as JsonObject | unknown[]);
  } catch {
    return undefined;
  }
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
