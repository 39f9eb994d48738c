import { describe, expect, test } from "vitest";
import { formatTally, listSlowest, tallyOfPlaywright, tallyOfVitest } from "#scripts/testing/test-tally";

describe("the closing line of the tests", () => {
  test("counts passed and failed tests, and skipped tests if there are any", () => {
    expect(formatTally({ passed: 3, failed: 0, skipped: 0 })).toBe("3 passed, 0 failed");
    expect(formatTally({ passed: 3, failed: 1, skipped: 2 })).toBe("3 passed, 1 failed, 2 skipped");
  });

  test("never reports zero failures if the tool ended with an error", () => {
    expect(tallyOfVitest({ numPassedTests: 4, numFailedTests: 0 }, 1)).toEqual({ passed: 4, failed: 1, skipped: 0 });
    expect(tallyOfPlaywright(null, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test("counts a test that passes only at its second attempt as failed", () => {
    const report = { stats: { expected: 2, unexpected: 0, flaky: 1, skipped: 1 } };
    expect(tallyOfPlaywright(report, 0)).toEqual({ passed: 2, failed: 1, skipped: 1 });
  });
});

test("the ten slowest files are listed, the slowest first", () => {
  const testResults = Array.from({ length: 12 }, (_, index) => ({
    name: `/project/lib/${index}.test.ts`,
    startTime: 1_000,
    endTime: 1_000 + index * 1_500,
  }));
  const slowest = listSlowest({ testResults }, "/project");
  expect(slowest).toHaveLength(10);
  expect(slowest[0]).toBe("  16.5 s  lib/11.test.ts");
  expect(listSlowest(null, "/project")).toEqual([]);
});
