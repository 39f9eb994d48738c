/** A date as ISO 8601 writes it: what a clock shows, and how far that clock is ahead of UTC. */
export interface WrittenDate {
  /** The milliseconds that UTC would count for the same digits. */
  wallMs: number;
  /** The digits of the second after its milliseconds; empty if there are none. */
  finerDigits: string;
  /** Null if the text has no offset. */
  aheadMs: number | null;
  hasTime: boolean;
}

/** With the variants of RFC 3339 and of PostgreSQL: a space for T, a small z, an offset of hours. */
const WRITTEN =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*([Zz]|[+-]\d{2}(?::?\d{2})?))?)?$/;
const OFFSET = /^([+-])([01]\d|2[0-3]):?([0-5]\d)?$/;
const MILLISECOND_DIGITS = 3;

/** Reads a day, or a time of a day with or without an offset. Returns null for anything else, such as February 30. */
export function readWrittenDate(text: string): WrittenDate | null {
  const match = WRITTEN.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", offset] = match;
  const date = new Date(0);
  // Date.UTC reads the years before 100 as those after 1900.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  // A Date accepts February 30 and 25:00, and continues with the next month or day.
  if (!date.toISOString().startsWith(`${year}-${month}-${day}T${hour}:${minute}:${second}`)) return null;
  const aheadMs = offset === undefined ? null : readOffset(offset);
  if (aheadMs === undefined) return null;
  const milliseconds = Number(fraction.padEnd(MILLISECOND_DIGITS, "0").slice(0, MILLISECOND_DIGITS));
  return {
    wallMs: date.getTime() + milliseconds,
    finerDigits: fraction.slice(MILLISECOND_DIGITS).replace(/0+$/, ""),
    aheadMs,
    hasTime: match[4] !== undefined,
  };
}

/** Reads a moment, as ms since 1970. A day is its midnight in UTC; a local time is another moment in every zone, so it is null. */
export function readWrittenMoment(text: string): number | null {
  const written = readWrittenDate(text);
  if (written === null || (written.hasTime && written.aheadMs === null)) return null;
  return written.wallMs - (written.aheadMs ?? 0);
}

/** Returns the milliseconds of an offset; undefined for one that no clock can have, such as +99:99. */
function readOffset(offset: string): number | undefined {
  if (offset === "Z" || offset === "z") return 0;
  const match = OFFSET.exec(offset);
  if (match === null) return undefined;
  const [, sign, hours, minutes = "0"] = match;
  const aheadMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === "-" ? 0 - aheadMs : aheadMs;
}
