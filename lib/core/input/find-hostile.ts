import type { FieldError } from "#lib/contract/api-error";
import { LIMITS } from "#lib/contract/limits";
import { fieldError, pointerStep } from "#lib/core/input/field-error";
import { exceedsJsonDepth } from "#lib/support/json";

interface Finding {
  pointer: string;
  code: string;
  problem: string;
}

const UNSTORABLE: Finding = {
  pointer: "",
  code: "invalid_text",
  problem: "holds a character that cannot be stored (NUL or half a surrogate pair)",
};

/**
 * The first thing in an input that no schema may let through: nesting beyond the limit, a key `__proto__`, and text
 * that Postgres cannot hold (NUL, half a surrogate pair). It reads no deeper than the limit, so it cannot overflow.
 */
export function findHostile(input: unknown): FieldError | null {
  if (exceedsJsonDepth(input, LIMITS.jsonDepth)) {
    return fieldError("", "too_deep", `is nested deeper than ${LIMITS.jsonDepth} levels`);
  }
  const found = findIn(input);
  return found && fieldError(found.pointer, found.code, found.problem);
}

/** Pointers are put together on the way back from a finding: an input without one costs no text. */
function findIn(value: unknown): Finding | null {
  if (typeof value === "string") return isStorable(value) ? null : UNSTORABLE;
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
  if (key === "__proto__") return { pointer: "", code: "forbidden_key", problem: "cannot be the name of a field" };
  return isStorable(key) ? null : UNSTORABLE;
}

function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}
