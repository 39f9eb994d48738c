const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the sentences that name no hidden tool: an agent that reads about a tool calls it, and one that its list does not
 * have is refused.
 */
export function keepListed(sentences: readonly string[], hiddenTools: ReadonlySet<string> = NONE): string[] {
  return sentences.filter((sentence) => !(sentence.match(/\w+/g) ?? []).some((word) => hiddenTools.has(word)));
}

/** Splits a text of several sentences for `keepListed`. */
export function splitSentences(text: string): string[] {
  return text.split(/(?<=\.)\s/);
}
