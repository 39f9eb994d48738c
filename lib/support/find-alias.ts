/** Other names of something, with spaces between them, by the name that is known. */
type Aliases = Readonly<Record<string, string>>;

/**
 * Returns the one known name that has another name as its alias; null if there is none, or several. Names are compared
 * without upper case and separators, signs as they are.
 */
export function findAlias(aliases: Aliases, wrong: string, known: Iterable<string>): string | null {
  const plain = /\w/.test(wrong) ? wrong.toLowerCase().replace(/[_\-\s]/g, "") : wrong.trim();
  const meant = [...known].filter((name) => Object.hasOwn(aliases, name) && aliases[name]?.split(" ").includes(plain));
  return meant.length === 1 ? (meant[0] ?? null) : null;
}
