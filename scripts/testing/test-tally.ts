import { relative } from "node:path";

/** The number of tests by outcome. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

export function addTallies(left: Tally, right: Tally): Tally {
  return {
    passed: left.passed + right.passed,
    failed: left.failed + right.failed,
    skipped: left.skipped + right.skipped,
  };
}

/** Returns `N passed, N failed`, and the number of skipped tests if there are any. */
export function formatTally({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** @param report the output of Vitest's json reporter, or null if there is none */
export function tallyOfVitest(report: unknown, exitCode: number): Tally {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = numbersOf(report);
  return failedAtLeast(exitCode, {
    passed: numPassedTests ?? 0,
    failed: numFailedTests ?? 0,
    skipped: (numPendingTests ?? 0) + (numTodoTests ?? 0),
  });
}

interface TestedFile {
  name: string;
  startTime: number;
  endTime: number;
}

const SLOWEST = 10;

/**
 * Lists the files that took longest, as `12.3 s  lib/core/a.test.ts`: where time can be saved.
 * @param report the output of Vitest's json reporter, or null if there is none
 * @param root the folder of the project
 */
export function listSlowest(report: unknown, root: string): string[] {
  const files = (report as { testResults?: TestedFile[] } | null)?.testResults ?? [];
  const taken = files.map(({ name, startTime, endTime }) => ({ name: relative(root, name), ms: endTime - startTime }));
  const slowest = taken.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST);
  return slowest.map(({ name, ms }) => `${(ms / 1_000).toFixed(1).padStart(6)} s  ${name}`);
}

/** @param report the output of Playwright's json reporter, or null if there is none */
export function tallyOfPlaywright(report: unknown, exitCode: number): Tally {
  const { expected, unexpected, flaky, skipped } = numbersOf((report as { stats?: unknown } | null)?.stats);
  // A test that passes only when it is repeated counts as failed.
  const failed = (unexpected ?? 0) + (flaky ?? 0);
  return failedAtLeast(exitCode, { passed: expected ?? 0, failed, skipped: skipped ?? 0 });
}

function numbersOf(value: unknown): Record<string, number | undefined> {
  return typeof value === "object" && value !== null ? (value as Record<string, number>) : {};
}

/**
 * Counts at least one failure if the tool failed. A run can fail without a failed test, for example if a file does not
 * load or the setup breaks.
 */
function failedAtLeast(exitCode: number, tally: Tally): Tally {
  return exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}
