/**
 * Returns the texts, numbers and booleans at a path inside a JSON value, as texts. Empty texts are left out.
 * @param path names of fields with dots between them; `*` means each element of a list
 */
export function readScalars(value: unknown, path: string): string[] {
  return readKeys(value, path.split("."));
}

function readKeys(value: unknown, [key, ...rest]: readonly string[]): string[] {
  if (key === undefined) {
    if (typeof value === "string") return value === "" ? [] : [value];
    return typeof value === "number" || typeof value === "boolean" ? [String(value)] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  if (key === "*") return Array.isArray(value) ? value.flatMap((element) => readKeys(element, rest)) : [];
  return Object.hasOwn(value, key) ? readKeys(Reflect.get(value, key), rest) : [];
}
