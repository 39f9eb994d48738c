import type { WallClock } from "#lib/core/expressions/functions/format-date-pattern";
import { firstMomentOf, offsetAt, wallTimeAt } from "#lib/core/schedules/wall-time";

const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:(Z)|([+-])(\d{2}):?(\d{2}))?)?$/;
/** The range of years with four digits, in every zone. */
const [EARLIEST, LATEST] = [Date.UTC(101, 0), Date.UTC(9999, 11, 30)];

/** A date: a moment, or only what a clock shows, which is the same in every zone. */
type ReadDate = { momentMs: number } | { wallMs: number };

/**
 * Reads an ISO 8601 day, local time or moment, or milliseconds since 1970.
 * @returns null for anything else, such as February 30
 */
export function readDate(value: unknown): ReadDate | null {
  if (typeof value === "number") return isInRange(value) ? { momentMs: value } : null;
  const match = typeof value === "string" ? DATE.exec(value) : null;
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const [fraction = "", utc, sign, hours, minutes] = match.slice(7);
  const wallMs = Date.UTC(year, month - 1, day, hour, minute, second) + Number(fraction.padEnd(3, "0").slice(0, 3));
  const isReal = month >= 1 && month <= 12 && new Date(wallMs).getUTCDate() === day;
  if (!isReal || hour > 23 || minute > 59 || second > 59 || !isInRange(wallMs)) return null;
  if (utc === undefined && sign === undefined) return { wallMs };
  const aheadMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return { momentMs: sign === "-" ? wallMs + aheadMs : wallMs - aheadMs };
}

function isInRange(ms: number): boolean {
  return ms >= EARLIEST && ms <= LATEST;
}

/** Returns what a clock in the zone shows at a date. */
export function wallClockAt(date: ReadDate, zone: string): WallClock {
  const momentMs = "momentMs" in date ? date.momentMs : firstMomentOf(zone, date.wallMs);
  const wallMs = "momentMs" in date ? wallTimeAt(zone, date.momentMs) : date.wallMs;
  return { wall: new Date(wallMs), offsetMs: offsetAt(zone, momentMs) };
}
