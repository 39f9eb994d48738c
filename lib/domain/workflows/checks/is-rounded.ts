import { compareDecimals } from "#lib/support/numbers/decimal";

/**
 * Returns true for a whole number in a program that becomes another number when the program is read. A number that a
 * double holds exactly, such as 1e16 or 2^53, is none, and neither is a BigInt or one in another base.
 */
export function isRounded(literal: string): boolean {
  const digits = literal.replaceAll("_", "");
  if (!/^\d{16,400}$/.test(digits)) return false;
  const number = Number(digits);
  return !Number.isFinite(number) || compareDecimals(digits, BigInt(number).toString()) !== 0;
}
