import { joinWords } from "#lib/support/join-words";
import { certainName, nearestNames } from "#lib/support/nearest-names";

/** Names that a message lists if none of them is near. */
const NAMES_MAX = 10;
const NAME_CHARACTERS = 64;

/**
 * Returns up to three nearest names as the end of a sentence, and the name that is certainly meant.
 * @param otherwise how the sentence lists the names if none is near, such as "its fields are"; without it, they are not listed
 */
export function listSuggestions(wrong: string, known: Iterable<string>, otherwise?: string) {
  const names = [...known];
  const near = nearestNames(wrong, names);
  const certain = certainName(wrong, names);
  if (near.length > 0) return { words: `; did you mean ${joinWords(near.map(quoteName), "or")}?`, certain };
  if (otherwise === undefined || names.length === 0) return { words: "", certain };
  const shown = names.slice(0, NAMES_MAX).map(quoteName);
  const listed = joinWords(names.length > NAMES_MAX ? [...shown, "more"] : shown, "and");
  return { words: `; ${otherwise} ${listed}`, certain };
}

export function quoteName(name: string): string {
  return `"${name.length > NAME_CHARACTERS ? `${name.slice(0, NAME_CHARACTERS - 1)}…` : name}"`;
}
