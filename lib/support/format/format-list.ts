const format = new Intl.ListFormat("en", { type: "conjunction" });

/** Formats "Monday", "Monday and Tuesday", "Monday, Tuesday, and Friday". */
export function formatList(items: readonly string[]): string {
  return format.format(items);
}
