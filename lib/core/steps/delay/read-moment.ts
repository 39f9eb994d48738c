import { firstMomentOf } from "#lib/core/schedules/wall-time";

const MOMENT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Reads a time in ISO 8601. One without an offset is a local time in the zone: if it occurs twice (the clock was set
 * back), the first one counts; if it does not exist (the clock was set forward), the first moment after the gap. A date
 * alone is its first moment.
 * @returns ms since 1970; null if it is not such a time
 */
export function readMoment(text: string, zone: string): number | null {
  const [, year, month = "", day = "", hour = "00", minute = "00", second = "00", fraction = "0", offset] =
    MOMENT.exec(text.trim()) ?? [];
  if (year === undefined) return null;
  const wallMs = Date.UTC(...numbersOf(year, month, day, hour, minute, second));
  // `Date.UTC` accepts February 30 and continues in March.
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  if (!new Date(wallMs).toISOString().startsWith(written)) return null;
  const ms = Math.floor(Number(`0.${fraction}`) * 1_000);
  return (offset === undefined ? firstMomentOf(zone, wallMs) : wallMs - offsetMs(offset)) + ms;
}

/** The arguments of `Date.UTC`, which counts months from 0. */
function numbersOf(year: string, month: string, ...rest: string[]): [number, number, ...number[]] {
  return [Number(year), Number(month) - 1, ...rest.map(Number)];
}

function offsetMs(offset: string): number {
  if (/^z$/i.test(offset)) return 0;
  const digits = offset.slice(1).replace(":", "");
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || "0");
  return (offset.startsWith("-") ? -minutes : minutes) * 60_000;
}
