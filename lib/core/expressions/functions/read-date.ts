import type { WallClock } from "#lib/core/expressions/functions/format-date-pattern";
import { readWrittenDate } from "#lib/core/schedules/read-written-date";
import { firstMomentOf, offsetAt, wallTimeAt } from "#lib/core/schedules/wall-time";

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
  const written = typeof value === "string" ? readWrittenDate(value) : null;
  if (written === null || !isInRange(written.wallMs)) return null;
  const { wallMs, aheadMs } = written;
  return aheadMs === null ? { wallMs } : { momentMs: wallMs - aheadMs };
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
