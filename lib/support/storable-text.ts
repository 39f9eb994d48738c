/** Returns text that PostgreSQL accepts: the only character it refuses, U+0000, becomes U+FFFD. */
export function storableText(text: string): string {
  return text.replaceAll("\u0000", "\ufffd");
}
