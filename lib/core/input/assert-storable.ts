import { ApiError, type FieldError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { exceedsJsonDepth } from "#lib/support/json";

/** The problem of a number that JSON readers do not agree on (RFC 8259, section 6), or that no double holds. */
const LONG_NUMBER = "is a number beyond 2^53, which would lose digits; send it as a string";

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
  if (typeof value === "string") return isStorableText(value) ? null : UNSTORABLE;
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
  return isStorableText(key) ? null : UNSTORABLE;
}

interface Fault {
  /** From the value outwards. */
  path: (string | number)[];
  message: string;
  isLong?: true;
}

/**
 * Rejects values that are valid JSON but cannot be stored: NUL and unpaired surrogates (Postgres text cannot hold
 * them), numbers beyond a double (`1e400` would come back as null), numbers that would
 * lose digits (`parseJson` marks them), and nesting deeper than 32 levels. It reads no
 * deeper than that, so a hostile body cannot exhaust the stack.
 * @param hasRunInput true for what an operation was called with: it may have the input of a run, which is validated when the
 * run is created
 * @throws ApiError BAD_REQUEST naming the first such field
 */
export function assertStorable(value: unknown, { hasRunInput = false }: { hasRunInput?: boolean } = {}): void {
  const fault = findFault(value, 0);
  if (fault === null || (hasRunInput && fault.isLong && isInRunInput(fault.path))) return;
  const error = storageError(fault.path.reverse(), fault.message);
  throw new ApiError("BAD_REQUEST", `${error.field}: ${error.message}`, { details: [error] });
}

/**
 * The path is only assembled on the way back from a fault, so a valid body of 1 MiB takes 10 ms and not 35.
 * @param depth the number of objects above the value
 */
function findFault(value: unknown, depth: number): Fault | null {
  if (typeof value === "string") {
    return isStorableText(value) ? null : { path: [], message: "contains NUL or an unpaired surrogate" };
  }
  if (typeof value === "number") {
    if (Number.isNaN(value)) return { path: [], message: LONG_NUMBER, isLong: true };
    return Number.isFinite(value) ? null : { path: [], message: "is out of range for a number" };
  }
  if (typeof value !== "object" || value === null) return null;
  if (depth === LIMITS.jsonDepth) {
    return { path: [], message: `is nested deeper than ${LIMITS.jsonDepth} levels` };
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const fault = findFault(value[index], depth + 1);
      if (fault !== null) return at(index, fault);
    }
    return null;
  }
  for (const key in value) {
    if (!isStorableText(key)) {
      return { path: [key], message: "has a name that contains NUL or an unpaired surrogate" };
    }
    const fault = findFault(Reflect.get(value, key), depth + 1);
    if (fault !== null) return at(key, fault);
  }
  return null;
}

/**
 * Returns true for a number in the input of a run, alone or of a batch. Creating the run refuses it as
 * INPUT_VALIDATION_FAILED, by its pointer in the input, like every other invalid field.
 */
function isInRunInput(path: readonly (string | number)[]): boolean {
  const [first, , field] = path.toReversed();
  return first === "input" || (first === "items" && field === "input");
}

function at(part: string | number, fault: Fault): Fault {
  fault.path.push(part);
  return fault;
}

export function isStorableText(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

function storageError(path: readonly (string | number)[], message: string): FieldError {
  // The name itself can be the fault, so it is made safe to read.
  const names = path.map((part) => String(part).replaceAll("\u0000", "\ufffd").toWellFormed().slice(0, 100));
  return {
    field: names.join(".") || "(body)",
    pointer: names.map(pointerStep).join(""),
    code: "not_storable",
    message,
  };
}
