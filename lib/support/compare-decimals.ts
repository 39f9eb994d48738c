/** A number as JSON and people write it: digits with an optional point and exponent. */
const DECIMAL = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/;

interface Decimal {
  /** -1, 0, or 1. */
  sign: number;
  /** Without zeros at the start and the end. */
  digits: string;
  /** The place of the point, counted from the first digit. */
  point: number;
}

/**
 * Compares two numbers by their digits, so that integers beyond 2^53 keep their order: below zero, zero, or above zero.
 * @returns null if a text is not a decimal number
 */
export function compareDecimals(left: string, right: string): number | null {
  const [a, b] = [readDecimal(left), readDecimal(right)];
  if (a === null || b === null) return null;
  if (a.sign !== b.sign || a.sign === 0) return a.sign - b.sign;
  if (a.point !== b.point) return a.sign * (a.point - b.point);
  return a.sign * (a.digits < b.digits ? -1 : a.digits > b.digits ? 1 : 0);
}

function readDecimal(text: string): Decimal | null {
  const [, sign, whole = "", fraction = "", exponent = "0"] = DECIMAL.exec(text.trim()) ?? [];
  if (sign === undefined || whole + fraction === "") return null;
  const written = whole + fraction;
  const start = written.search(/[1-9]/);
  if (start === -1) return { sign: 0, digits: "", point: 0 };
  const digits = withoutLastZeros(written.slice(start));
  return { sign: sign === "-" ? -1 : 1, digits, point: whole.length - start + Number(exponent) };
}

/** A pattern such as /0+$/ would take quadratic time for many zeros before another digit. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end -= 1;
  return digits.slice(0, end);
}
