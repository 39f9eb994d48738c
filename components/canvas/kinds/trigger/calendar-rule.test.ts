import { expect, test } from "vitest";
import { explainExpression, nextFires } from "#lib/core/schedules/next-fires";
import {
  type CalendarRule,
  FIRST_RULE,
  ORDINALS,
  printRule,
  REPEATS,
  readRule,
  WEEKDAYS,
} from "@/components/canvas/kinds/trigger/calendar-rule";

function* rules(): Generator<CalendarRule> {
  for (const repeat of REPEATS) {
    for (const hours of [[0], [9, 17], [0, 23]]) {
      for (const minute of [0, 30, 59]) {
        for (const weekdays of [[1], [1, 2, 3, 4, 5], [6, 0], [...WEEKDAYS]]) {
          for (const ordinal of ORDINALS) {
            for (const monthDay of [1, 31, "L"] as const) {
              yield { repeat, minute, hours, weekdays, monthDay, ordinal, weekday: weekdays[0] ?? 0 };
            }
          }
        }
      }
    }
  }
}

test("every rule is written as a valid expression, and reading the expression gives the same rule", () => {
  for (const rule of rules()) {
    const expression = printRule(rule);
    expect(explainExpression(expression), expression).toBeNull();
    const read = readRule(expression);
    expect(read === null ? null : printRule(read)).toBe(expression);
  }
});

test.each([
  ["30 17 * * 1-5", "2026-11-23T17:30 2026-11-24T17:30"],
  ["0 9 * * 1#1", "2026-12-07T09:00 2027-01-04T09:00"],
  ["0 9 * * 5#L", "2026-11-27T09:00 2026-12-25T09:00"],
  ["0 9,17 L * *", "2026-11-30T09:00 2026-11-30T17:00"],
])("%s fires at %s", (expression, times) => {
  const fires = nextFires({ mode: "cron", expression, timezone: "UTC" }, new Date("2026-11-23T12:00Z"), 2);
  expect(fires.map((fire) => fire.toISOString().slice(0, 16))).toEqual(times.split(" "));
});

test.each([
  ["15 * * * *", { repeat: "hour", minute: 15 }],
  ["0 9 * * 7", { repeat: "week", weekdays: [0] }],
  ["0 17,9 * * *", { repeat: "day", hours: [17, 9] }],
  [" 5  4 1 * * ", { repeat: "month_day", monthDay: 1, minute: 5, hours: [4] }],
  ["0 9 * * 5-7", { repeat: "week", weekdays: [5, 6, 0] }],
])("%s is read as a rule", (expression, rule) => {
  expect(readRule(expression)).toEqual({ ...FIRST_RULE, ...rule });
});

test.each([
  "*/5 * * * *",
  "0 9 1 * 1",
  "0 9 * 6 *",
  "0 25 * * *",
  "61 * * * *",
  "0 9 32 * *",
  "0 9 * * MON",
  "0 9-17 * * *",
  "",
])("%s says more than a rule, or nothing", (expression) => {
  expect(readRule(expression)).toBeNull();
});
