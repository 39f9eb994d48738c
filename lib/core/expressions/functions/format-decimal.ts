/** Above this, every number is whole and `toFixed` writes an exponent. */
const WHOLE_FROM = 1e21;
const PLACES_MAX = 20;

/**
 * Rounds a number as it is written in decimals: 1.005 to two places is 1.01, although the nearest binary number is a
 * little smaller. A half rounds away from zero.
 */
export function roundDecimal(number: number, decimals: number): number {
  const rounded = movePoint(Math.round(movePoint(Math.abs(number), decimals)), -decimals);
  if (!Number.isFinite(rounded)) return number;
  return number < 0 && rounded !== 0 ? -rounded : rounded;
}

/** Multiplies by a power of ten in the written form, which has no error of binary arithmetic. */
function movePoint(number: number, places: number): number {
  const [digits = "", exponent = "0"] = String(number).split("e");
  return Number(`${digits}e${Number(exponent) + places}`);
}

interface DecimalFormat {
  /** null for as many places as the number has. */
  decimals: number | null;
  thousands: string;
  point: string;
}

/** Writes a number without an exponent, with separators, independent of any locale. */
export function formatDecimal(number: number, { decimals, thousands, point }: DecimalFormat): string {
  const value = decimals === null ? number : roundDecimal(number, decimals);
  const [whole = "", fraction = ""] = digitsOf(Math.abs(value), decimals).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, () => thousands);
  return `${value < 0 ? "-" : ""}${grouped}${fraction === "" ? "" : `${point}${fraction}`}`;
}

function digitsOf(value: number, decimals: number | null): string {
  if (value >= WHOLE_FROM) {
    const whole = BigInt(value).toString();
    return decimals === null || decimals === 0 ? whole : `${whole}.${"0".repeat(decimals)}`;
  }
  if (decimals !== null) return value.toFixed(decimals);
  const written = String(value);
  return written.includes("e") ? value.toFixed(PLACES_MAX).replace(/\.?0+$/, "") : written;
}
