import { formatList } from "#lib/support/format/format-list";
import { formatClock, formatWeekday } from "#lib/support/format/format-moment";
import type { CalendarRule, Ordinal } from "@/components/canvas/kinds/trigger/calendar-rule";

const ORDINAL_WORDS: Readonly<Record<Ordinal, string>> = {
  "1": "first",
  "2": "second",
  "3": "third",
  "4": "fourth",
  L: "last",
};

/** Returns a rule as words, such as "every weekday at 9:00 AM", as the calendar form names its parts. */
export function describeCalendar(rule: CalendarRule): string {
  if (rule.repeat === "hour") return `every hour at :${String(rule.minute).padStart(2, "0")}`;
  const times = rule.hours.toSorted((a, b) => a - b).map((hour) => formatClock(hour, rule.minute));
  return `${describeDays(rule)} at ${formatList(times)}`;
}

function describeDays({ repeat, weekdays, monthDay, weekday, ordinal }: CalendarRule): string {
  if (repeat === "month_day")
    return monthDay === "L" ? "on the last day of the month" : `on day ${monthDay} of the month`;
  if (repeat === "month_weekday") return `on the ${ORDINAL_WORDS[ordinal]} ${formatWeekday(weekday)} of the month`;
  if (repeat !== "week" || weekdays.length === 7) return "every day";
  return weekdays.join() === "1,2,3,4,5"
    ? "every weekday"
    : `every ${formatList(weekdays.map((day) => formatWeekday(day)))}`;
}
