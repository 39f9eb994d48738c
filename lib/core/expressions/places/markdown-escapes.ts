/** https://core.telegram.org/bots/api#markdownv2-style: the characters of a text that have a meaning. */
export function escapeMarkdownV2(text: string): string {
  return text.replace(/[_*[\]()~`>#+\-=|{}.!\\]/g, "\\$&");
}

/**
 * Escapes what Markdown reads as a mark. `+` and `~` are marks only in pairs, `#` and `>` only at the start of a line, and
 * `<` only before a tag.
 * @param before the end of the text that the value continues
 */
export function escapeMarkdown(text: string, before = ""): string {
  const last = before.slice(-1);
  const isAtLineStart = /(?:^|\n)[ \t]*$/.test(before);
  return text
    .replace(/[\\`*_[\]]|<(?=[A-Za-z/!?])/g, "\\$&")
    .replace(/\++|~+/g, (run, at: number, whole: string) => {
      const isAlone = run.length === 1 && at + 1 < whole.length && (at > 0 || last !== run);
      return isAlone ? run : run.replace(/./g, "\\$&");
    })
    .replace(/(^|\n)([ \t]*)([#>])/g, (found, start: string, spaces: string, mark: string) =>
      start === "\n" || isAtLineStart ? `${start}${spaces}\\${mark}` : found,
    );
}
