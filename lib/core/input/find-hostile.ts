import type { FieldError } from "#lib/contract/api-error";
import { LIMITS } from "#lib/contract/limits";
import { fieldError, LONG_NUMBER, pointerStep } from "#lib/core/input/field-error";
import { exceedsJsonDepth } from "#lib/support/json";

interface Finding {
  pointer: string;
  code: string;
  problem: string;
}

const UNSTORABLE: Finding = {
  pointer: "",
  code: "invalid_text",
  problem: "contains a character that cannot be stored (NUL or an unpaired surrogate)",
};

export const LONG_NUMBER_CODE = "unsafe_number";
const LOSSY: Finding = { pointer: "", code: LONG_NUMBER_CODE, problem: LONG_NUMBER };
/** A list can have a million of them; a person mends a few at a time. */
const LONG_MAX = 50;

/**
 * Finds the first thing in an input that no schema may allow: nesting beyond the limit, a key `__proto__`, text that
 * PostgreSQL cannot store (NUL, an unpaired surrogate), or a number that would lose digits. It reads no deeper than the limit, so it cannot overflow the
 * stack.
 */
export function findHostile(input: unknown): FieldError | null {
  if (exceedsJsonDepth(input, LIMITS.jsonDepth)) {
    return fieldError("", "too_deep", `is nested deeper than ${LIMITS.jsonDepth} levels`);
  }
  const found = findIn(input);
  return found && fieldError(found.pointer, found.code, found.problem);
}

/** Finds every number that would lose digits, which `parseJson` has marked. */
export function findLongNumbers(input: unknown): FieldError[] {
  const pointers: string[] = [];
  collectLong(input, "", pointers);
  return pointers.map((pointer) => fieldError(pointer, LOSSY.code, LOSSY.problem));
}

function collectLong(value: unknown, pointer: string, found: string[]): void {
  if (found.length >= LONG_MAX) return;
  if (Number.isNaN(value)) found.push(pointer);
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) collectLong(item, pointer + pointerStep(key), found);
}

/** Pointers are only assembled on the way back from a finding, so a valid input creates no text. */
function findIn(value: unknown): Finding | null {
  if (typeof value === "string") return isStorable(value) ? null : UNSTORABLE;
  if (typeof value === "number") return Number.isNaN(value) ? LOSSY : null;
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = findIn(value[index]);
      if (found) return { ...found, pointer: pointerStep(String(index)) + found.pointer };
    }
    return null;
  }
  for (const key in value) {
    const found = findInKey(key) ?? findIn(Reflect.get(value, key));
    if (found) return { ...found, pointer: pointerStep(key) + found.pointer };
  }
  return null;
}

function findInKey(key: string): Finding | null {
  if (key === "__proto__") return { pointer: "", code: "forbidden_key", problem: "is not allowed as a field name" };
  return isStorable(key) ? null : UNSTORABLE;
}

function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}
