/** Ends an exhaustive switch: a new member of the union becomes a type error at this call. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${String(value)}`);
}
