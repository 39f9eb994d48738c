const FIELDS: ReadonlyMap<string, string> = new Map([
  ...["slug", "name", "base_url", "auth"].map((name) => [name, name] as const),
  ["openapi_url", "url"],
]);

/** Returns the name of the form's control that an RFC 6901 pointer into the input leads to; null for other pointers. */
export function fieldOfPointer(pointer: string): string | null {
  return FIELDS.get(pointer.split("/")[1] ?? "") ?? null;
}
