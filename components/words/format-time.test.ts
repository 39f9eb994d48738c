import { expect, it } from "vitest";
import { describeDuration, describeSince } from "@/components/words/format-time";

it.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [1_000, "1.0 s"],
  [9_999, "9.9 s"],
  [10_000, "10 s"],
  [59_999, "59 s"],
  [200_000, "3 min 20 s"],
  [300_000, "5 min"],
  [3_600_000, "1 h"],
  [4_500_000, "1 h 15 min"],
])("%i ms is %s", (ms, words) => {
  expect(describeDuration(ms)).toBe(words);
});

it("says how long ago, and how far ahead", () => {
  const now = 1_000_000_000_000;
  expect(describeSince(now - 5_000, now)).toBe("just now");
  expect(describeSince(now - 180_000, now)).toBe("3 min. ago");
  expect(describeSince(now + 3 * 86_400_000, now)).toBe("in 3 days");
  expect(describeSince(now - 86_400_000, now)).toBe("yesterday");
  expect(describeSince(now - 40 * 86_400_000, now)).toBe("1 mo. ago");
  expect(describeSince(now + 60 * 86_400_000 - 1, now)).toBe("in 2 mo.");
});
