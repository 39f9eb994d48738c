/** Returns the `like` pattern of every text that contains `part` as it is written; null without a part. */
export function containingPattern(part: string | undefined): string | null {
  return part === undefined ? null : `%${part.replace(/[\\%_]/g, "\\$&")}%`;
}
