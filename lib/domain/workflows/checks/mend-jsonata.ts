import { readJsonata } from "#lib/domain/workflows/checks/read-jsonata";

/** What people write from other languages, and what JSONata has instead. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\{\{\s{0,9}([^{}]{1,300}?)\s{0,9}\}\}/g, "$1"],
  [/!==/g, "!="],
  [/===?/g, "="],
  [/&&/g, " and "],
  [/\|\|/g, " or "],
];

/** Returns the expression that another language's spelling means; null if what results does not parse either. */
export function mendJsonata(source: string): string | null {
  const replaced = REPLACEMENTS.reduce((text, [pattern, by]) => text.replace(pattern, by), source);
  const mended = replaced
    .replaceAll("  and ", " and ")
    .replaceAll(" and  ", " and ")
    .replaceAll("  or ", " or ")
    .replaceAll(" or  ", " or ");
  return mended !== source && "names" in readJsonata(mended) ? mended : null;
}
