/** Defines properties like the platform's globals: writable, configurable, not enumerable. */
export function defineProperties(target: object, values: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(values)) {
    Object.defineProperty(target, key, { value, writable: true, enumerable: false, configurable: true });
  }
}
