/** What the parser does for a `<` that may open a list of types costs as much as this many other characters. */
const ANGLE_WEIGHT = 60;

/** Returns how many characters a program counts as in `LIMITS.checkedProgramCharacters`. */
export function weighProgram(source: string): number {
  let weight = source.length;
  for (let at = source.indexOf("<"); at !== -1; at = source.indexOf("<", at + 1)) weight += ANGLE_WEIGHT;
  return weight;
}
