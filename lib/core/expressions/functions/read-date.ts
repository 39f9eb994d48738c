import type { WallClock } from "#lib/core/expressions/functions/format-date-pattern";
import { readWrittenDate } from "#lib/core/schedules/read-written-date";
import { firstMomentOf, offsetAt, wallTimeAt } from "#lib/core/schedules/wall-time";

/** The range of years with four digits, in every zone. */
const [EARLIEST, LATEST] = [Date.UTC(101, 0), Date.UTC(9999, 11, 30)];
/**
 * As milliseconds, numbers up to this are days from 1966 to 1973; as seconds, they reach the year 5138. Someone who passes
 * one nearly always means seconds.
 */
const AMBIGUOUS_BELOW = 100_000_000_000;

/** A date: a moment, or only what a clock shows, which is the same in every zone. */
type ReadDate = { momentMs: number } | { wallMs: number };

/**
 * Reads an ISO 8601 day, local time or moment, or milliseconds since 1970.
 * @returns null for anything else, such as February 30, and for a number that can be seconds
 */
export function readDate(value: unknown): ReadDate | null {
  if (typeof value === "number") return isInRange(value) && !canBeSeconds(value) ? { momentMs: value } : null;
  const written = typeof value === "string" ? readWrittenDate(value) : null;
  if (written === null || !isInRange(written.wallMs)) return null;
  const { wallMs, aheadMs } = written;
  return aheadMs === null ? { wallMs } : { momentMs: wallMs - aheadMs };
}

/** Returns true for a number that is another moment in seconds than in milliseconds, and more likely meant as seconds. */
export function canBeSeconds(value: unknown): boolean {
  return typeof value === "number" && value !== 0 && Math.abs(value) < AMBIGUOUS_BELOW;
}

/** @returns null for a number of seconds that is more likely one of milliseconds */
export function momentOfSeconds(seconds: number): number | null {
  return Math.abs(seconds) < AMBIGUOUS_BELOW && isInRange(seconds * 1_000) ? Math.floor(seconds * 1_000) : null;
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
