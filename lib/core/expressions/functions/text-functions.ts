import type { CallArguments, ExpressionFunction } from "#lib/core/expressions/functions/expression-function";
import { positionsOf } from "#lib/core/expressions/search-text";
import { listShape, scalar } from "#lib/core/shapes/shape";

const TEXT = () => scalar("string");
const SURROGATE = /[\ud800-\udfff]/;
/** What an item of a list costs: 10 MiB of texts can be split into 200,000 items. */
const ITEM_CHARACTERS = 50;
/** What an occurrence costs that is replaced: the parts around 10 million of them would take 500 MB. */
const OCCURRENCE_CHARACTERS = 10;

export const TEXT_FUNCTIONS: readonly ExpressionFunction[] = [
  {
    name: "upper",
    parameters: [{ name: "text", accepts: ["text"] }],
    description: "Returns the text in upper case.",
    example: { expression: 'upper("Ada")', value: "ADA" },
    run: (args) => args.text(0).toUpperCase(),
    result: TEXT,
  },
  {
    name: "lower",
    parameters: [{ name: "text", accepts: ["text"] }],
    description: "Returns the text in lower case.",
    example: { expression: 'lower("Ada")', value: "ada" },
    run: (args) => args.text(0).toLowerCase(),
    result: TEXT,
  },
  {
    name: "trim",
    parameters: [{ name: "text", accepts: ["text"] }],
    description: "Removes spaces and line breaks at both ends of the text.",
    example: { expression: 'trim("  Ada ")', value: "Ada" },
    run: (args) => args.text(0).trim(),
    result: TEXT,
  },
  {
    name: "replace",
    parameters: [
      { name: "text", accepts: ["text"] },
      { name: "search", accepts: ["text"] },
      { name: "replacement", accepts: ["text"] },
    ],
    description: "Replaces every occurrence of `search` with `replacement`. `search` is plain text, not a pattern.",
    example: { expression: 'replace("1-2-3", "-", "/")', value: "1/2/3" },
    run: replaceText,
    result: TEXT,
  },
  {
    name: "split",
    parameters: [
      { name: "text", accepts: ["text"] },
      { name: "separator", accepts: ["text"] },
    ],
    description:
      "Returns the parts of the text between the separators as a list. An empty separator splits characters.",
    example: { expression: 'split("a,b,c", ",")', value: ["a", "b", "c"] },
    run: splitText,
    result: () => listShape(scalar("string")),
  },
];

function replaceText(args: CallArguments): string {
  const [text, search, replacement] = [args.text(0), args.text(1), args.text(2)];
  const positions = positionsOf(text, search);
  args.spend(positions.length * (replacement.length + OCCURRENCE_CHARACTERS));
  const parts = partsBetween(text, positions, search.length);
  return parts.join(replacement);
}

function splitText(args: CallArguments): string[] {
  const [text, separator] = [args.text(0), args.text(1)];
  if (separator === "") {
    args.spend(text.length * ITEM_CHARACTERS);
    return Array.from(text);
  }
  const positions = positionsOf(text, separator);
  args.spend(positions.length * ITEM_CHARACTERS);
  return partsBetween(text, positions, separator.length);
}

function partsBetween(text: string, positions: readonly number[], width: number): string[] {
  const starts = [0, ...positions.map((at) => at + width)];
  return starts.map((start, at) => text.slice(start, positions[at]));
}

/** Counts characters as people do: an emoji of two code units is one. */
export function countCharacters(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Cuts a text between characters, never inside of one. */
export function sliceText(text: string, start: number, end: number | undefined): string {
  return SURROGATE.test(text) ? Array.from(text).slice(start, end).join("") : text.slice(start, end);
}
