/** Returns the `like` pattern that matches every text containing `part` literally; null without a part. */
export function containingPattern(part: string | undefined): string | null {
  return part === undefined ? null : `%${part.replace(/[\\%_]/g, "\\$&")}%`;
}
