import { containsValue } from "#lib/core/expressions/contains-value";
import type { CallArguments, ExpressionFunction } from "#lib/core/expressions/functions/expression-function";
import { countCharacters, sliceText } from "#lib/core/expressions/functions/text-functions";
import { positionsOf } from "#lib/core/expressions/search-text";
import { membersOf, NULL, type Shape, scalar, UNKNOWN, unionShape } from "#lib/core/shapes/shape";
import { isJsonObject, leastJsonBytes } from "#lib/support/json";

const POSITION_MAX = 1_000_000_000;

export const LIST_FUNCTIONS: readonly ExpressionFunction[] = [
  {
    name: "length",
    parameters: [{ name: "value", accepts: ["text", "list", "object"] }],
    description: "Counts the characters of a text, the items of a list or the fields of an object.",
    example: { expression: "length(order.tags)", value: 2 },
    run: lengthOf,
    result: () => scalar("integer"),
  },
  {
    name: "contains",
    parameters: [
      { name: "value", accepts: ["text", "list", "object"] },
      { name: "part", accepts: null },
    ],
    description:
      "Returns true if the text contains `part`, the list contains it as an item, or the object has a field with that name.",
    example: { expression: 'contains(order.tags, "paid")', value: true },
    run: contains,
    result: () => scalar("boolean"),
  },
  {
    name: "slice",
    parameters: [
      { name: "value", accepts: ["text", "list"] },
      { name: "start", accepts: ["number"] },
      { name: "end", accepts: ["number"], isOptional: true },
    ],
    description: "Returns the part from `start` up to, not including, `end`. Negative positions count from the end.",
    example: { expression: 'slice("2026-11-23", 0, 4)', value: "2026" },
    run: slice,
    result: ([value = UNKNOWN]) => (value.kind === "array" || value.kind === "unknown" ? value : scalar("string")),
  },
  {
    name: "first",
    parameters: [{ name: "list", accepts: ["list"] }],
    description: "Returns the first item of the list, or null if it is empty.",
    example: { expression: "first(order.lines).sku", value: "A-1" },
    run: (args) => args.list(0)[0],
    result: itemShape,
  },
  {
    name: "last",
    parameters: [{ name: "list", accepts: ["list"] }],
    description: "Returns the last item of the list, or null if it is empty.",
    example: { expression: "last(order.lines).sku", value: "B-2" },
    run: (args) => args.list(0).at(-1),
    result: itemShape,
  },
  {
    name: "join",
    parameters: [
      { name: "list", accepts: ["list"] },
      { name: "separator", accepts: ["text"], isOptional: true },
    ],
    description: "Writes the items of the list as one text, with the separator between them, or `, ` without one.",
    example: { expression: 'join(order.tags, " and ")', value: "new and paid" },
    run: join,
    result: () => scalar("string"),
  },
];

function itemShape([list = UNKNOWN]: readonly Shape[]): Shape {
  const items = membersOf(list).map((member) => (member.kind === "array" ? member.items : UNKNOWN));
  return unionShape([...items, NULL]);
}

function lengthOf(args: CallArguments): number {
  const value = args.value(0);
  if (Array.isArray(value)) return value.length;
  if (!isJsonObject(value)) return countCharacters(args.text(0));
  const names = Object.keys(value);
  args.spend(names.length);
  return names.length;
}

function contains(args: CallArguments): boolean {
  const [value, part] = [args.value(0), args.value(1)];
  if (Array.isArray(value)) {
    const isDeep = typeof part === "object";
    // Both are serialized to be compared.
    args.spend(isDeep ? leastJsonBytes([value, part], POSITION_MAX) : value.length);
    return containsValue(value, part);
  }
  if (isJsonObject(value)) return Object.hasOwn(value, args.text(1));
  // An empty text is in no text, as in a condition: it has no positions.
  return positionsOf(args.text(0), args.text(1)).length > 0;
}

function slice(args: CallArguments): unknown {
  const start = args.integer(1, -POSITION_MAX, POSITION_MAX);
  const end = args.has(2) ? args.integer(2, -POSITION_MAX, POSITION_MAX) : undefined;
  const value = args.value(0);
  if (!Array.isArray(value)) return sliceText(args.text(0), start, end);
  const items = value.slice(start, end);
  args.spend(items.length);
  return items;
}

function join(args: CallArguments): string {
  const separator = args.has(1) ? args.text(1) : ", ";
  const items = args.list(0);
  args.spend(items.length * (separator.length + 1));
  return items.map(args.write).join(separator);
}
