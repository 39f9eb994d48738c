import type { CallArguments, ExpressionFunction } from "#lib/core/expressions/functions/expression-function";
import { readDatePattern } from "#lib/core/expressions/functions/format-date-pattern";
import { readDate, wallClockAt } from "#lib/core/expressions/functions/read-date";
import { isTimeZone } from "#lib/core/schedules/wall-time";
import { scalar } from "#lib/core/shapes/shape";

const NO_DATE = "must be an ISO 8601 date, or milliseconds since 1970";
const NO_ZONE = 'must be an IANA time zone, such as "Europe/Berlin"';
/** What formatting costs as characters: 5 microseconds, as long as changing the case of some thousand. */
const FORMAT_CHARACTERS = 500;

export const DATE_FUNCTIONS: readonly ExpressionFunction[] = [
  {
    name: "format_date",
    parameters: [
      { name: "date", accepts: ["text", "number"], check: (date) => (readDate(date) === null ? NO_DATE : null) },
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
];

function checkPattern(constant: string | number | boolean): string | null {
  const pattern = readDatePattern(String(constant));
  return typeof pattern === "string" ? pattern : null;
}

function formatDate(args: CallArguments): string {
  args.spend(FORMAT_CHARACTERS);
  const date = readDate(args.value(0));
  if (date === null) throw args.refuse(0, NO_DATE);
  const pattern = readDatePattern(args.text(1));
  if (typeof pattern === "string") throw args.refuse(1, pattern);
  const zone = args.has(2) ? args.text(2) : "UTC";
  if (!isTimeZone(zone)) throw args.refuse(2, NO_ZONE);
  const clock = wallClockAt(date, zone);
  return pattern.map((write) => write(clock)).join("");
}
