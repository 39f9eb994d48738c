import { ApiError, type FieldError } from "#lib/contract/api-error";
import { LIMITS } from "#lib/contract/limits";
import { LONG_NUMBER } from "#lib/core/input/find-hostile";

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
  const error = fieldError(fault.path.reverse(), fault.message);
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

function fieldError(path: readonly (string | number)[], message: string): FieldError {
  // The name itself can be the fault, so it is made safe to read.
  const names = path.map((part) => String(part).replaceAll("\u0000", "\ufffd").toWellFormed().slice(0, 100));
  return {
    field: names.join(".") || "(body)",
    pointer: names.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
    code: "not_storable",
    message,
  };
}
