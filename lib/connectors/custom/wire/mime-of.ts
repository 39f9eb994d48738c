/** Returns a media type without its parameters, in lowercase. */
export function mimeOf(type: string): string {
  return type.split(";")[0]?.trim().toLowerCase() ?? "";
}

export function isJsonType(mime: string): boolean {
  return /[/+]json$/.test(mime);
}
