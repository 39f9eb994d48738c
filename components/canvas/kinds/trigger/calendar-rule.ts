/** How often a calendar rule repeats. */
export const REPEATS = ["hour", "day", "week", "month_day", "month_weekday"] as const;
export type Repeat = (typeof REPEATS)[number];

/** The days of a week as cron numbers them, Monday first. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0] as const;
/** Which of a month's Mondays, for example. */
export const ORDINALS = ["1", "2", "3", "4", "L"] as const;
export type Ordinal = (typeof ORDINALS)[number];

/** A schedule that people can describe without cron. Fields that `repeat` does not use keep their values. */
export interface CalendarRule {
  repeat: Repeat;
  minute: number;
  /**
   * Not empty, each once, in the order in which they were added. All times of a day share the minute, because one cron
   * expression cannot do otherwise.
   */
  hours: number[];
  /** Sorted like WEEKDAYS and not empty. */
  weekdays: number[];
  /** L is the last day. */
  monthDay: number | "L";
  ordinal: Ordinal;
  /** For `month_weekday`. */
  weekday: number;
}

/** Weekdays at nine. */
export const FIRST_RULE: CalendarRule = {
  repeat: "week",
  minute: 0,
  hours: [9],
  weekdays: [1, 2, 3, 4, 5],
  monthDay: 1,
  ordinal: "1",
  weekday: 1,
};

/** Returns the cron expression of a rule. */
export function printRule({ repeat, minute, hours, ...rule }: CalendarRule): string {
  const time = `${minute} ${hours.join(",")}`;
  switch (repeat) {
    case "hour":
      return `${minute} * * * *`;
    case "day":
      return `${time} * * *`;
    case "week":
      return `${time} * * ${printWeekdays(rule.weekdays)}`;
    case "month_day":
      return `${time} ${rule.monthDay} * *`;
    case "month_weekday":
      return `${time} * * ${rule.weekday}#${rule.ordinal}`;
  }
}

function printWeekdays(weekdays: readonly number[]): string {
  return weekdays.join() === "1,2,3,4,5" ? "1-5" : weekdays.join(",");
}

const HOURLY = /^(\d+) \* \* \* \*$/;
const TIMED = /^(\d+) (\d+(?:,\d+)*) (\*|L|\d+) \* (\*|\d#[1-4L]|\d-\d|\d(?:,\d)*)$/;

/** Returns the rule that a cron expression expresses; null if it says more than a rule can. */
export function readRule(expression: string): CalendarRule | null {
  const text = expression.trim().replace(/\s+/g, " ");
  const minute = Number.parseInt(text, 10);
  if (HOURLY.test(text)) return minute < 60 ? { ...FIRST_RULE, repeat: "hour", minute } : null;
  const timed = TIMED.exec(text);
  if (timed === null) return null;
  const [, , hourList = "", monthDay = "", weekday = ""] = timed;
  const hours = hourList.split(",").map(Number);
  if (minute > 59 || !hours.every((hour) => hour < 24) || new Set(hours).size < hours.length) return null;
  const days = readDays(monthDay, weekday);
  return days && { ...FIRST_RULE, minute, hours, ...days };
}

function readDays(monthDay: string, weekday: string): Partial<CalendarRule> | null {
  if (weekday === "*") return readMonthDay(monthDay);
  if (monthDay !== "*") return null;
  const [first = "", ordinal] = weekday.split("#");
  if (ordinal !== undefined) {
    const day = Number(first) % 7;
    return Number(first) <= 7 ? { repeat: "month_weekday", weekday: day, ordinal: ordinal as Ordinal } : null;
  }
  const weekdays = sorted(listDays(weekday), WEEKDAYS);
  return weekdays && { repeat: "week", weekdays };
}

function readMonthDay(monthDay: string): Partial<CalendarRule> | null {
  if (monthDay === "*") return { repeat: "day" };
  if (monthDay === "L") return { repeat: "month_day", monthDay };
  const day = Number(monthDay);
  return day >= 1 && day <= 31 ? { repeat: "month_day", monthDay: day } : null;
}

/** Sunday is both 0 and 7. */
function listDays(weekday: string): number[] {
  const [from = "", to] = weekday.split("-");
  if (to === undefined) return weekday.split(",").map((day) => (day === "7" ? 0 : Number(day)));
  return Array.from({ length: Math.max(0, Number(to) - Number(from) + 1) }, (_, index) => (Number(from) + index) % 7);
}

/** Returns the values in the order of `all`, each once; null if there is none, or one that `all` does not contain. */
function sorted(values: readonly number[], all: readonly number[]): number[] | null {
  if (values.length === 0 || !values.every((value) => all.includes(value))) return null;
  return all.filter((value) => values.includes(value));
}
