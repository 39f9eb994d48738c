import type { CallArguments, ExpressionFunction } from "#lib/core/expressions/functions/expression-function";
import { readDatePattern } from "#lib/core/expressions/functions/format-date-pattern";
import { canBeSeconds, momentOfSeconds, readDate, wallClockAt } from "#lib/core/expressions/functions/read-date";
import { isTimeZone } from "#lib/core/schedules/wall-time";
import { scalar } from "#lib/core/shapes/shape";

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
