/** A number as JSON and people write it: digits with an optional point and exponent. */
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** A number with all of its digits, as 0.DIGITS times a power of ten. */
export interface Decimal {
  /** -1, 0, or 1. */
  sign: number;
  /** Without zeros at the start and the end. */
  digits: string;
  /** The place of the point, counted from the first digit. */
  point: number;
}

/** @returns null if the text is not a decimal number */
export function parseDecimal(text: string): Decimal | null {
  const [, sign, whole = "", fraction = "", exponent = "0"] = DECIMAL.exec(text.trim()) ?? [];
  if (sign === undefined || whole + fraction === "") return null;
  return decimalOf(sign === "-" ? -1 : 1, whole + fraction, whole.length + Number(exponent));
}

/** @param point counted from the first of the digits, which may start and end with zeros */
function decimalOf(sign: number, digits: string, point: number): Decimal {
  const start = digits.search(/[1-9]/);
  if (start === -1) return { sign: 0, digits: "", point: 0 };
  return { sign, digits: withoutLastZeros(digits.slice(start)), point: point - start };
}

/** A pattern such as /0+$/ would take quadratic time for many zeros before another digit. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end -= 1;
  return digits.slice(0, end);
}

/**
 * Compares two numbers by their digits, so that integers beyond 2^53 keep their order: below zero, zero, or above zero.
 * @returns null if a text is not a decimal number
 */
export function compareDecimals(left: string, right: string): number | null {
  const [a, b] = [parseDecimal(left), parseDecimal(right)];
  if (a === null || b === null) return null;
  if (a.sign !== b.sign || a.sign === 0) return a.sign - b.sign;
  if (a.point !== b.point) return a.sign * (a.point - b.point);
  return a.sign * (a.digits < b.digits ? -1 : a.digits > b.digits ? 1 : 0);
}

/** Rounds to a number of digits after the point. A half rounds away from zero. */
export function roundDecimal(decimal: Decimal, places: number): Decimal {
  const { sign, digits, point } = decimal;
  const kept = point + places;
  if (kept >= digits.length) return decimal;
  const head = kept > 0 ? digits.slice(0, kept) : "0";
  const isUp = kept >= 0 && digits.charAt(kept) >= "5";
  const rounded = isUp ? (BigInt(head) + 1n).toString() : head;
  return decimalOf(sign, rounded, rounded.length - places);
}

/** Writes a number without an exponent. */
export function writeDecimal({ sign, digits, point }: Decimal): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  const fraction = point > 0 ? digits.slice(point) : "0".repeat(-point) + digits;
  return `${sign < 0 ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
