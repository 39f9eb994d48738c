import { ApiError, type FieldError } from "#lib/contract/api-error";
import { LIMITS } from "#lib/contract/limits";

type Path = (string | number)[];

/**
 * Rejects values that are valid JSON but cannot be stored: NUL and unpaired surrogates (Postgres text cannot hold
 * them), numbers beyond a double (`1e400` would come back as null), and nesting deeper than 32 levels. It reads no
 * deeper than that, so a hostile body cannot exhaust the stack.
 * @throws ApiError BAD_REQUEST naming the first such field
 */
export function assertStorable(value: unknown): void {
  const path: Path = [];
  const fault = findFault(value, path, 0);
  if (fault === null) return;
  const error = fieldError(path, fault);
  throw new ApiError("BAD_REQUEST", `${error.field}: ${error.message}`, { details: [error] });
}

/** @param path grows to the position of the fault; depth is the number of objects above the value */
function findFault(value: unknown, path: Path, depth: number): string | null {
  if (typeof value === "string") return isStorableText(value) ? null : "contains NUL or an unpaired surrogate";
  if (typeof value === "number") return Number.isFinite(value) ? null : "is out of range for a number";
  if (typeof value !== "object" || value === null) return null;
  if (depth === LIMITS.jsonDepth) return `is nested deeper than ${LIMITS.jsonDepth} levels`;
  const isArray = Array.isArray(value);
  for (const [key, item] of isArray ? value.entries() : Object.entries(value)) {
    path.push(key);
    if (!isArray && !isStorableText(String(key))) return "has a name that contains NUL or an unpaired surrogate";
    const fault = findFault(item, path, depth + 1);
    if (fault !== null) return fault;
    path.pop();
  }
  return null;
}

export function isStorableText(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

function fieldError(path: Path, message: string): FieldError {
  // The name itself can be the fault, so it is made safe to read.
  const names = path.map((part) => String(part).replaceAll("\u0000", "\ufffd").toWellFormed().slice(0, 100));
  return {
    field: names.join(".") || "(body)",
    pointer: names.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
    code: "not_storable",
    message,
  };
}
