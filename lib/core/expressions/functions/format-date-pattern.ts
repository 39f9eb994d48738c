/** A moment as the clock on the wall shows it. Its UTC fields are the local ones. */
export interface WallClock {
  wall: Date;
  /** How far the zone is ahead of UTC, in milliseconds. */
  offsetMs: number;
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const SHORT_NAME = 3;
const PATTERN_CHARACTERS = 100;

const pad = (number: number, width = 2) => String(number).padStart(width, "0");
const hour12 = (wall: Date) => wall.getUTCHours() % 12 || 12;
const monthOf = (wall: Date) => MONTHS[wall.getUTCMonth()] ?? "";
const weekdayOf = (wall: Date) => WEEKDAYS[wall.getUTCDay()] ?? "";

/** The letters of a pattern, as in Unicode's date patterns, with their meaning. Names are English in every locale. */
export const DATE_TOKENS: Readonly<Record<string, { meaning: string; write: (clock: WallClock) => string }>> = {
  yyyy: { meaning: "year", write: ({ wall }) => pad(wall.getUTCFullYear(), 4) },
  yy: { meaning: "year, two digits", write: ({ wall }) => pad(wall.getUTCFullYear() % 100) },
  MMMM: { meaning: "name of the month", write: ({ wall }) => monthOf(wall) },
  MMM: { meaning: "name of the month, three letters", write: ({ wall }) => monthOf(wall).slice(0, SHORT_NAME) },
  MM: { meaning: "month, two digits", write: ({ wall }) => pad(wall.getUTCMonth() + 1) },
  M: { meaning: "month", write: ({ wall }) => String(wall.getUTCMonth() + 1) },
  dd: { meaning: "day, two digits", write: ({ wall }) => pad(wall.getUTCDate()) },
  d: { meaning: "day", write: ({ wall }) => String(wall.getUTCDate()) },
  EEEE: { meaning: "weekday", write: ({ wall }) => weekdayOf(wall) },
  EEE: { meaning: "weekday, three letters", write: ({ wall }) => weekdayOf(wall).slice(0, SHORT_NAME) },
  HH: { meaning: "hour from 00 to 23", write: ({ wall }) => pad(wall.getUTCHours()) },
  H: { meaning: "hour from 0 to 23", write: ({ wall }) => String(wall.getUTCHours()) },
  hh: { meaning: "hour from 01 to 12", write: ({ wall }) => pad(hour12(wall)) },
  h: { meaning: "hour from 1 to 12", write: ({ wall }) => String(hour12(wall)) },
  a: { meaning: "AM or PM", write: ({ wall }) => (wall.getUTCHours() < 12 ? "AM" : "PM") },
  mm: { meaning: "minute, two digits", write: ({ wall }) => pad(wall.getUTCMinutes()) },
  ss: { meaning: "second, two digits", write: ({ wall }) => pad(wall.getUTCSeconds()) },
  SSS: { meaning: "milliseconds, three digits", write: ({ wall }) => pad(wall.getUTCMilliseconds(), 3) },
  XXX: { meaning: "offset from UTC, as `+01:00` or `Z`", write: ({ offsetMs }) => writeOffset(offsetMs) },
};

function writeOffset(offsetMs: number): string {
  if (offsetMs === 0) return "Z";
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  return `${offsetMs < 0 ? "-" : "+"}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

type Piece = (clock: WallClock) => string;

/**
 * Reads a pattern: runs of the same letter are fields, other characters and texts in single quotes are written as they
 * are, and two single quotes are one.
 * @returns a text that explains the error if the pattern has another letter
 */
export function readDatePattern(pattern: string): readonly Piece[] | string {
  if (pattern.length > PATTERN_CHARACTERS) return `must have at most ${PATTERN_CHARACTERS} characters`;
  const pieces: Piece[] = [];
  for (const [source] of pattern.matchAll(/'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']+|'/g)) {
    if (source === "'") return "must close every single quote";
    const field = Object.hasOwn(DATE_TOKENS, source) ? DATE_TOKENS[source] : undefined;
    if (field === undefined && /^[A-Za-z]/.test(source)) {
      return `must not contain "${source}" (the fields are ${Object.keys(DATE_TOKENS).join(", ")})`;
    }
    const text = source === "''" ? "'" : source.replace(/^'|'$/g, "").replaceAll("''", "'");
    pieces.push(field?.write ?? (() => text));
  }
  return pieces;
}
