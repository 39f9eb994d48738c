/**
 * Returns the texts, numbers and booleans at a path inside a JSON value, as texts. Empty texts are left out.
 * @param path names of fields with dots between them; `*` means each element of a list
 */
export function readScalars(value: unknown, path: string): string[] {
  return jsonValuesAt(value, path).flatMap((found) => {
    if (typeof found === "string") return found === "" ? [] : [found];
    return typeof found === "number" || typeof found === "boolean" ? [String(found)] : [];
  });
}

/** Returns whatever a JSON value has at a path. */
export function jsonValuesAt(value: unknown, path: string): unknown[] {
  return readKeys(value, path.split("."));
}

function readKeys(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (key === undefined) return [value];
  if (typeof value !== "object" || value === null) return [];
  if (key === "*") return Array.isArray(value) ? value.flatMap((element) => readKeys(element, rest)) : [];
  return Object.hasOwn(value, key) ? readKeys(Reflect.get(value, key), rest) : [];
}
