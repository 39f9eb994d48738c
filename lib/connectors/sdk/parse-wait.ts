import { LIMITS } from "#lib/contract/limits";
import { readWrittenMoment } from "#lib/core/schedules/read-written-date";

const SECONDS = /^\d+(?:\.\d+)?$/;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const TIME = String.raw`(\d{2}):(\d{2}):(\d{2})`;
/** RFC 9110, 5.6.7: the preferred format, that of RFC 850, and that of asctime. All three are in UTC. */
const FIXDATE = new RegExp(String.raw`^[a-z]{3}, (\d{2}) ([a-z]{3}) (\d{4}) ${TIME} gmt$`);
const RFC850 = new RegExp(String.raw`^[a-z]{6,9}, (\d{2})-([a-z]{3})-(\d{2}) ${TIME} gmt$`);
const ASCTIME = new RegExp(String.raw`^[a-z]{3} ([a-z]{3}) ([ \d]\d) ${TIME} (\d{4})$`);
/** Not of the RFC, but some services send it. */
const ISO = /^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:z|[+-]\d{2}:?\d{2})$/;
const CENTURY = 100;
const HALF_CENTURY = 50;

/**
 * Reads Retry-After (RFC 9110, 10.2.3): seconds, or a date. A value that is neither, such as `-5`, `+3`, `1.` or a list, is
 * as if the header were missing.
 * @returns whole milliseconds, at most `LIMITS.retryAfterMs`; 0 for a date in the past
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  const value = header?.trim() ?? "";
  if (SECONDS.test(value)) return waitOfSeconds(Number(value));
  const until = parseHttpDate(value, now);
  return until === null ? null : boundedWait(until - now.getTime());
}

/**
 * Returns the wait that a service states in seconds, such as `retry_after` in a body.
 * @returns whole milliseconds, at most `LIMITS.retryAfterMs`; null for what is not a number of seconds
 */
export function waitOfSeconds(seconds: unknown): number | null {
  return typeof seconds === "number" && seconds >= 0 ? boundedWait(seconds * 1_000) : null;
}

function boundedWait(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), LIMITS.retryAfterMs);
}

/**
 * Reads a date as HTTP writes it, or a moment in ISO 8601. `Date.parse` would also read `-5` and `1.`, and an asctime date
 * as local time.
 * @returns ms since 1970; null if it is neither
 */
export function parseHttpDate(text: string, now: Date): number | null {
  const value = text.trim().toLowerCase();
  if (ISO.test(value)) return readWrittenMoment(value);
  const [, day, month, year, ...time] = FIXDATE.exec(value) ?? [];
  if (day !== undefined) return momentOf(Number(year), month, day, time);
  const [, ownDay, ownMonth, shortYear, ...ownTime] = RFC850.exec(value) ?? [];
  if (ownDay !== undefined) return momentOf(fullYear(Number(shortYear), now), ownMonth, ownDay, ownTime);
  const [, lastMonth, lastDay, hour = "", minute = "", second = "", lastYear] = ASCTIME.exec(value) ?? [];
  return lastDay === undefined ? null : momentOf(Number(lastYear), lastMonth, lastDay, [hour, minute, second]);
}

/** RFC 9110, 5.6.7: a year of two digits that would be more than 50 years ahead is in the past. */
function fullYear(short: number, now: Date): number {
  const year = now.getUTCFullYear() - (now.getUTCFullYear() % CENTURY) + short;
  return year > now.getUTCFullYear() + HALF_CENTURY ? year - CENTURY : year;
}

function momentOf(year: number, month = "", day: string, time: readonly string[]): number | null {
  const [hour = 0, minute = 0, second = 0] = time.map(Number);
  const midnight = Date.UTC(year, MONTHS.indexOf(month), Number(day));
  const isReal = MONTHS.includes(month) && new Date(midnight).getUTCDate() === Number(day);
  // The RFC allows the second 60, a leap second.
  if (!isReal || hour > 23 || minute > 59 || second > 60) return null;
  return midnight + ((hour * 60 + minute) * 60 + second) * 1_000;
}
