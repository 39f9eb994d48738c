import type { FieldError } from "#lib/contract/api-error";

/** The problem of a number that JSON readers do not agree on (RFC 8259, section 6), or that no double holds. */
export const LONG_NUMBER = "is a number beyond 2^53, which would lose digits; send it as a string";

/** Encodes one step of an RFC 6901 JSON Pointer, with its slash. */
export function pointerStep(key: string): string {
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The readable form of a pointer: names joined by dots, or "input" for the whole input. */
function dottedName(pointer: string): string {
  if (pointer === "") return "input";
  const names = pointer.slice(1).split("/");
  return names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
}

/** Creates the error of one field of an input. The message is a sentence about the field: "amount must be a number". */
export function fieldError(pointer: string, code: string, problem: string): FieldError {
  const field = dottedName(pointer);
  return { field, pointer, code, message: `${field} ${problem}` };
}
