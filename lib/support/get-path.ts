const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/**
 * Returns the value at a path inside a JSON value. It reads own properties of objects and elements of arrays, nothing
 * inherited (`length`, `constructor`) and never `__proto__`, even if JSON made it an own key.
 * @returns null if the path does not exist (decisions, The graph document: an unknown path is null)
 */
export function getPath(value: unknown, path: readonly (string | number)[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null) return null;
    if (Array.isArray(current)) {
      current = typeof key === "number" || INDEX.test(key) ? current[Number(key)] : null;
    } else {
      current = key !== "__proto__" && Object.hasOwn(current, key) ? Reflect.get(current, key) : null;
    }
  }
  return current === undefined ? null : current;
}
