import { expect, test } from "vitest";
import { triggerCanvasKind } from "@/components/canvas/kinds/trigger/trigger";

const cardOf = (data: Record<string, unknown>) =>
  triggerCanvasKind
    .summarize({ kind: "schedule", mode: "cron", timezone: "Europe/Berlin", ...data })
    .map(({ text }) => text)
    .join("");

test.each([
  ["0 9 * * 1-5", "every weekday at 9:00 AM"],
  ["30 17,8 * * *", "every day at 8:30 AM and 5:30 PM"],
  ["0 9 * * 0,1,3", "every Monday, Wednesday, and Sunday at 9:00 AM"],
  ["0 9 * * 0-6", "every day at 9:00 AM"],
  ["5 * * * *", "every hour at :05"],
  ["0 9 15 * *", "on day 15 of the month at 9:00 AM"],
  ["0 9 L * *", "on the last day of the month at 9:00 AM"],
  ["0 9 * * 1#1", "on the first Monday of the month at 9:00 AM"],
  ["0 9 * * 5#L", "on the last Friday of the month at 9:00 AM"],
])("the card of the schedule %s says %s", (expression, words) => {
  expect(cardOf({ expression })).toBe(`Starts ${words}, Europe/Berlin`);
});

test("the card shows an expression that the calendar form cannot show", () => {
  expect(cardOf({ expression: "*/5 8-18 * * 1-5" })).toBe("Starts at */5 8-18 * * 1-5, Europe/Berlin");
  expect(cardOf({ expression: "" })).toBe("Starts at ?, Europe/Berlin");
});

test("the card of an interval says its length in words", () => {
  expect(cardOf({ mode: "interval", seconds: 5_400 })).toBe("Starts every 1 h 30 min");
});
