import { NO_VALUE } from "#lib/support/format/format-number";
import { currentReader, type Reader } from "#lib/support/format/reader";

/** ISO 8601, or epoch milliseconds. */
type Moment = string | number | Date;

const DUE = {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
} as const;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats "Nov 21, 2026, 8:21:37 AM GMT+3", for the exact time of a log entry, with its zone. */
export function formatInstant(at: Moment | null, reader: Reader = currentReader()): string {
  return format(at, reader, { dateStyle: "medium", timeStyle: "long" });
}

/** Formats "Sat, Nov 21, 2026, 8:21 AM GMT+3", for the time when something is due or expires, with its zone. */
export function formatDateTime(at: Moment | null, reader: Reader = currentReader()): string {
  return format(at, reader, DUE);
}

/** Formats "8:21:37 AM", for a moment that is minutes away. */
export function formatTime(at: Moment | null, reader: Reader = currentReader()): string {
  return format(at, reader, { timeStyle: "medium" });
}

/** Formats a YYYY-MM-DD day as "Nov 21". The day does not belong to a zone. */
export function formatDay(day: string, { locale } = currentReader()): string {
  return format(day, { locale, timeZone: "UTC" }, { day: "numeric", month: "short" });
}

/** Formats the month of a YYYY-MM-DD day as "November 2026". */
export function formatMonth(day: string, { locale } = currentReader()): string {
  return format(day, { locale, timeZone: "UTC" }, { month: "long", year: "numeric" });
}

/** Formats a day of the week, 0 for Sunday, as "Monday". */
export function formatWeekday(weekday: number, { locale } = currentReader()): string {
  // January 1, 2023 was a Sunday.
  return format(Date.UTC(2023, 0, 1 + weekday), { locale, timeZone: "UTC" }, { weekday: "long" });
}

/** Formats a time of day as "5:30 PM", or as "17:30" where the clock has 24 hours. */
export function formatClock(hour: number, minute: number, { locale } = currentReader()): string {
  return format(Date.UTC(2023, 0, 1, hour, minute), { locale, timeZone: "UTC" }, { timeStyle: "short" });
}

/** Returns true if the reader's clock uses AM and PM. */
export function hasHalfDays({ locale }: Reader = currentReader()): boolean {
  return new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions().hour12 === true;
}

function format(at: Moment | null, { locale, timeZone }: Reader, options: Intl.DateTimeFormatOptions): string {
  const date = at === null ? null : new Date(at);
  if (date === null || Number.isNaN(date.getTime())) return NO_VALUE;
  const key = JSON.stringify([locale, timeZone, options]);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
  formats.set(key, known);
  // Engines use different spaces before AM: some a narrow one, some a plain one.
  return known.format(date).replaceAll("\u202f", " ");
}
