const FRACTION_DIGITS = 3;
/** From here on, `String` writes a number with an exponent. */
const EXPONENT_FROM = 1e21;
const EXPONENT_BELOW = 1e-6;

/** Writes a number as `toLocaleString("en-US")` does: 1,234,567.892. */
export function writeEnglishNumber(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const size = Math.abs(value);
  if (size === Number.POSITIVE_INFINITY) return `${sign}∞`;
  if (size >= EXPONENT_FROM) return sign + groupThousands(BigInt(size).toString());
  const [whole = "0", fraction = ""] = size < EXPONENT_BELOW ? [] : String(size).split(".");
  // The digits that were written are rounded, not those of the nearest binary number.
  const isUp = (fraction[FRACTION_DIGITS] ?? "0") >= "5";
  const shown = fraction.slice(0, FRACTION_DIGITS).padEnd(FRACTION_DIGITS, "0");
  const rounded = (BigInt(whole + shown) + (isUp ? 1n : 0n)).toString().padStart(FRACTION_DIGITS + 1, "0");
  const decimals = rounded.slice(-FRACTION_DIGITS).replace(/0+$/, "");
  return `${sign}${groupThousands(rounded.slice(0, -FRACTION_DIGITS))}${decimals === "" ? "" : `.${decimals}`}`;
}

/** Writes the digits of a whole number, which may have a sign, with a comma between thousands. */
export function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+$)/g, ",");
}

const pad = (value: number) => String(value).padStart(2, "0");

/** Writes the day of a date as `toLocaleDateString("en-US", { timeZone: "UTC" })` does: 1/5/2026. */
export function writeEnglishDay(date: Date): string {
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`;
}

/** Writes the time of a date as `toLocaleTimeString("en-US", { timeZone: "UTC" })` does: 3:04:09 PM. */
export function writeEnglishTime(date: Date): string {
  const hours = date.getUTCHours();
  const half = hours < 12 ? "AM" : "PM";
  return `${hours % 12 || 12}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())} ${half}`;
}
