import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { writePath } from "#lib/core/expressions/write-expression";
import type { NoteLongNumber, PathInJson } from "#lib/support/exact-json";
import { isJsonObject } from "#lib/support/json";

/** The field of a run's input, next to `output`, with the paths of the numbers that are texts now. */
export const NUMBERS_AS_TEXT = "numbers_as_text";
/** A longer text is no number that a sender wrote. */
const DIGITS_MAX = 400;

interface CollectedPaths {
  paths: string[];
  note: NoteLongNumber;
}

/**
 * Collects the places of numbers that became texts, as paths. A step shows no more warnings than a few.
 * @param root the expression of the value that has them
 */
export function collectPaths(root: string): CollectedPaths {
  const paths: string[] = [];
  const note: NoteLongNumber = (path) => {
    if (paths.length < LIMITS.stepWarnings) paths.push(writePath(root, path));
  };
  return { paths, note };
}

/** Returns the input of the run that an event starts. The paths come before the output, as `eventText` expects. */
export function eventInput(output: unknown, paths: readonly string[]): JsonObject {
  return paths.length === 0 ? { output } : { [NUMBERS_AS_TEXT]: paths, output };
}

/**
 * Finds the texts in a value that were numbers in the message that it was made from.
 * @param digits the numbers that became texts
 */
export function noteTexts(
  value: unknown,
  digits: ReadonlySet<string>,
  note: NoteLongNumber,
  path: PathInJson = [],
): void {
  if (digits.size === 0) return;
  if (typeof value === "string" && value.length <= DIGITS_MAX && digits.has(value)) note(path, value);
  const inside: Iterable<[string | number, unknown]> = Array.isArray(value)
    ? value.entries()
    : Object.entries(isJsonObject(value) ? value : {});
  for (const [key, item] of inside) noteTexts(item, digits, note, [...path, key]);
}
