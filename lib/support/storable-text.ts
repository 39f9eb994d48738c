/** Text that Postgres takes: it refuses U+0000 alone, which becomes U+FFFD. */
export function storableText(text: string): string {
  return text.replaceAll("\u0000", "\ufffd");
}
