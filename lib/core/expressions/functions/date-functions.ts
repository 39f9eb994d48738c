import { isTimeZone } from "#lib/contract/workspace/time-zone";
import type { CallArguments, ExpressionFunction } from "#lib/core/expressions/functions/expression-function";
import { readDatePattern, type WallClock } from "#lib/core/expressions/functions/format-date-pattern";
import { readWrittenDate } from "#lib/core/schedules/read-written-date";
import { firstMomentOf, offsetAt, wallTimeAt } from "#lib/core/schedules/wall-time";
import { scalar } from "#lib/core/shapes/shape";

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
function readDate(value: unknown): ReadDate | null {
  if (typeof value === "number") return isInRange(value) && !canBeSeconds(value) ? { momentMs: value } : null;
  const written = typeof value === "string" ? readWrittenDate(value) : null;
  if (written === null || !isInRange(written.wallMs)) return null;
  const { wallMs, aheadMs } = written;
  return aheadMs === null ? { wallMs } : { momentMs: wallMs - aheadMs };
}

/** Returns true for a number that is another moment in seconds than in milliseconds, and more likely meant as seconds. */
function canBeSeconds(value: unknown): boolean {
  return typeof value === "number" && value !== 0 && Math.abs(value) < AMBIGUOUS_BELOW;
}

/** @returns null for a number of seconds that is more likely one of milliseconds */
function momentOfSeconds(seconds: number): number | null {
  return Math.abs(seconds) < AMBIGUOUS_BELOW && isInRange(seconds * 1_000) ? Math.floor(seconds * 1_000) : null;
}

function isInRange(ms: number): boolean {
  return ms >= EARLIEST && ms <= LATEST;
}

/** Returns what a clock in the zone shows at a date. */
function wallClockAt(date: ReadDate, zone: string): WallClock {
  const momentMs = "momentMs" in date ? date.momentMs : firstMomentOf(zone, date.wallMs);
  const wallMs = "momentMs" in date ? wallTimeAt(zone, date.momentMs) : date.wallMs;
  return { wall: new Date(wallMs), offsetMs: offsetAt(zone, momentMs) };
}

const NO_DATE = "must be an ISO 8601 date, or milliseconds since 1970";
const SECONDS = "must be milliseconds since 1970 (from_seconds converts seconds)";
const NO_SECONDS = "must be seconds since 1970, not milliseconds";
const NO_ZONE = 'must be an IANA time zone, such as "Europe/Berlin"';
/** What formatting costs as characters: 5 microseconds, as long as changing the case of some thousand. */
const FORMAT_CHARACTERS = 500;

export const DATE_FUNCTIONS: readonly ExpressionFunction[] = [
  {
    name: "format_date",
    parameters: [
      { name: "date", accepts: ["text", "number"], check: problemOf },
      { name: "pattern", accepts: ["text"], check: checkPattern },
      {
        name: "time_zone",
        accepts: ["text"],
        isOptional: true,
        check: (zone) => (isTimeZone(String(zone)) ? null : NO_ZONE),
      },
    ],
    description: "Formats a date with a pattern, in an IANA time zone or in UTC.",
    example: {
      expression: 'format_date(order.created_at, "d MMM yyyy, HH:mm", "Europe/Berlin")',
      value: "23 Nov 2026, 10:30",
    },
    run: formatDate,
    result: () => scalar("string"),
  },
  {
    name: "from_seconds",
    parameters: [{ name: "seconds", accepts: ["number"], check: checkSeconds }],
    description: "Converts seconds since 1970, as many services send times, to an ISO 8601 date.",
    example: { expression: "from_seconds(1790000000)", value: "2026-09-21T14:13:20.000Z" },
    run: (args) => {
      const momentMs = momentOfSeconds(args.number(0));
      if (momentMs === null) throw args.refuse(0, NO_SECONDS);
      return new Date(momentMs).toISOString();
    },
    result: () => scalar("string"),
  },
];

function problemOf(date: unknown): string | null {
  if (readDate(date) !== null) return null;
  return canBeSeconds(date) ? SECONDS : NO_DATE;
}

function checkSeconds(constant: string | number | boolean): string | null {
  return momentOfSeconds(Number(constant)) === null ? NO_SECONDS : null;
}

function checkPattern(constant: string | number | boolean): string | null {
  const pattern = readDatePattern(String(constant));
  return typeof pattern === "string" ? pattern : null;
}

function formatDate(args: CallArguments): string {
  args.spend(FORMAT_CHARACTERS);
  const date = readDate(args.value(0));
  if (date === null) throw args.refuse(0, problemOf(args.value(0)) ?? NO_DATE);
  const pattern = readDatePattern(args.text(1));
  if (typeof pattern === "string") throw args.refuse(1, pattern);
  const zone = args.has(2) ? args.text(2) : "UTC";
  if (!isTimeZone(zone)) throw args.refuse(2, NO_ZONE);
  const clock = wallClockAt(date, zone);
  return pattern.map((write) => write(clock)).join("");
}
