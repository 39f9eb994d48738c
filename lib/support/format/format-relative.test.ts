import { expect, test } from "vitest";
import { formatRelative } from "#lib/support/format/format-relative";

const NOW = 1_000_000_000_000;
const DAY_MS = 86_400_000;

test.each([
  [0, "just now"],
  [-5_000, "just now"],
  [30_000, "in under a minute"],
  [-180_000, "3 min. ago"],
  [3 * DAY_MS, "in 3 days"],
  [-DAY_MS, "yesterday"],
  [-40 * DAY_MS, "1 mo. ago"],
  [60 * DAY_MS - 1, "in 2 mo."],
])("a moment %i ms away is %s", (distanceMs, words) => {
  expect(formatRelative(NOW + distanceMs, NOW, { locale: "en-US", timeZone: "UTC" })).toBe(words);
});

test("the numbers follow the reader's conventions", () => {
  const reader = { locale: "de-DE", timeZone: "Europe/Berlin" };
  expect(formatRelative(NOW - 180_000, NOW, reader)).toBe("vor 3 Min.");
});
