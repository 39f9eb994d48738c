import { parseDecimal, roundDecimal, writeDecimal } from "#lib/support/numbers/decimal";

/**
 * Rounds a number as it is written in decimals: 1.005 to two places is 1.01, although the nearest binary number is a
 * little smaller.
 * @param digits the number as a text, all of whose digits count
 */
export function roundNumber(digits: string, decimals: number): string {
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
export function formatDecimal(digits: string, { decimals, thousands, point }: DecimalFormat): string {
  const written = roundNumber(digits, decimals ?? Number.MAX_SAFE_INTEGER);
  const [whole = "", places = ""] = written.split(".");
  const fraction = places.padEnd(decimals ?? 0, "0");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, () => thousands);
  return fraction === "" ? grouped : `${grouped}${point}${fraction}`;
}
