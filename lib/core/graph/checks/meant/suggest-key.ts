import { findKeyAlias } from "#lib/core/graph/checks/meant/known-aliases";
import { listSuggestions, quoteName } from "#lib/support/list-suggestions";

/**
 * Returns the settings that a wrong name most likely means, as the end of a sentence, and the one that is certainly meant.
 * @param otherwise how the sentence lists the names if none is meant
 */
export function suggestKey(wrong: string, known: readonly string[], otherwise?: string) {
  const near = listSuggestions(wrong, known, otherwise);
  if (near.certain !== null) return near;
  const alias = findKeyAlias(wrong, known);
  return alias === null ? near : { words: `; did you mean ${quoteName(alias)}?`, certain: alias };
}
