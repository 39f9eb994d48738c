import type { CallArguments, ExpressionFunction } from "#lib/core/expressions/functions/expression-function";
import { membersOf, scalar, UNKNOWN, unionShape } from "#lib/core/shapes/shape";
import { parseDecimal, roundDecimal, writeDecimal } from "#lib/support/numbers/decimal";

/**
 * Rounds a number as it is written in decimals: 1.005 to two places is 1.01, although the nearest binary number is a
 * little smaller.
 * @param digits the number as a text, all of whose digits count
 */
function roundNumber(digits: string, decimals: number): string {
  const decimal = parseDecimal(digits);
  return decimal === null ? digits : writeDecimal(roundDecimal(decimal, decimals));
}

interface DecimalFormat {
  /** null for as many places as the number has. */
  decimals: number | null;
  thousands: string;
  point: string;
}

/** Writes a number without an exponent, with separators, independent of any locale. */
function formatDecimal(digits: string, { decimals, thousands, point }: DecimalFormat): string {
  const written = roundNumber(digits, decimals ?? Number.MAX_SAFE_INTEGER);
  const [whole = "", places = ""] = written.split(".");
  const fraction = places.padEnd(decimals ?? 0, "0");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, () => thousands);
  return fraction === "" ? grouped : `${grouped}${point}${fraction}`;
}

const DECIMALS_MAX = 15;
const SEPARATOR_CHARACTERS = 10;

export const VALUE_FUNCTIONS: readonly ExpressionFunction[] = [
  {
    name: "default",
    parameters: [
      { name: "value", accepts: null, takesNull: true },
      { name: "fallback", accepts: null, takesNull: true },
    ],
    description: "Returns the value, or the fallback if the value is null or does not exist. `??` does the same.",
    example: { expression: 'default(order.note, "none")', value: "none" },
    run: (args) => args.value(0) ?? args.value(1),
    result: ([value = UNKNOWN, fallback = UNKNOWN]) =>
      unionShape([...membersOf(value).filter(({ kind }) => kind !== "null"), fallback]),
  },
  {
    name: "json",
    parameters: [{ name: "value", accepts: null, takesNull: true }],
    description: "Returns the value as JSON text. Text is put in quotes.",
    example: { expression: "json(order.tags)", value: '["new","paid"]' },
    run: (args) => {
      const value = args.value(0);
      return typeof value === "string" ? JSON.stringify(args.text(0)) : args.write(value) || "null";
    },
    result: () => scalar("string"),
  },
  {
    name: "round",
    parameters: [
      { name: "number", accepts: ["number"] },
      { name: "decimals", accepts: ["number"], isOptional: true, check: checkDecimals },
    ],
    description: "Rounds the number to a whole number, or to `decimals` places. Halves round away from zero.",
    example: { expression: "round(2.345, 2)", value: 2.35 },
    run: (args) => Number(roundNumber(args.digits(0), decimalsOf(args) ?? 0)),
    result: () => scalar("number"),
  },
  {
    name: "format_number",
    parameters: [
      { name: "number", accepts: ["number"] },
      { name: "decimals", accepts: ["number"], isOptional: true, check: checkDecimals },
      { name: "thousands", accepts: ["text"], isOptional: true, check: checkSeparator },
      { name: "point", accepts: ["text"], isOptional: true, check: checkSeparator },
    ],
    description:
      "Formats the number with `decimals` places. Without `decimals`, it keeps the places that the number has. The " +
      "separators are `,` between thousands and `.` before the decimals, unless you give your own.",
    example: { expression: 'format_number(order.total, 2, ".", ",")', value: "1.234,50" },
    run: (args) => {
      const [thousands, point] = [separatorOf(args, 2, ","), separatorOf(args, 3, ".")];
      const written = formatDecimal(args.digits(0), { decimals: decimalsOf(args), thousands, point });
      args.spend(written.length);
      return written;
    },
    result: () => scalar("string"),
  },
];

function checkDecimals(constant: string | number | boolean): string | null {
  const number = Number(constant);
  return Number.isInteger(number) && number >= 0 && number <= DECIMALS_MAX
    ? null
    : `must be a whole number from 0 to ${DECIMALS_MAX}`;
}

function decimalsOf(args: CallArguments): number | null {
  return args.has(1) ? args.integer(1, 0, DECIMALS_MAX) : null;
}

function checkSeparator(constant: string | number | boolean): string | null {
  return String(constant).length <= SEPARATOR_CHARACTERS
    ? null
    : `must have at most ${SEPARATOR_CHARACTERS} characters`;
}

function separatorOf(args: CallArguments, at: number, otherwise: string): string {
  if (!args.has(at)) return otherwise;
  const separator = args.text(at);
  const problem = checkSeparator(separator);
  if (problem !== null) throw args.refuse(at, problem);
  return separator;
}
