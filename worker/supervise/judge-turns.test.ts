import { describe, expect, test } from "vitest";
import { judgeTurns, type MainThread } from "#worker/supervise/judge-turns";

const LIMITS = { cpuMs: 10_000, idleChecks: 30 };

/** Returns the check that finds the thread stuck, or null. Each check is a second after the last one. */
function findStuck(checks: number, at: (second: number) => MainThread): number | null {
  const isStuck = judgeTurns(LIMITS);
  for (let second = 0; second < checks; second += 1) if (isStuck(at(second))) return second;
  return null;
}

describe("a worker", () => {
  test("that burns its own processor time without a turn is stuck after 10 s of it", () => {
    expect(findStuck(100, (second) => ({ turns: 7, cpuMs: 500 + second * 1_000, isRunnable: true }))).toBe(10);
  });

  test("that burns its own time on a busy machine is stuck after the same time of its own", () => {
    expect(findStuck(1_000, (second) => ({ turns: 7, cpuMs: second * 25, isRunnable: true }))).toBe(400);
  });

  test("that gets next to no processor is not stuck, however long its turn takes", () => {
    const cpuMs = (second: number) => Math.round((second * 96) / 3_885) * 10;
    expect(findStuck(3_600, (second) => ({ turns: 7, cpuMs: cpuMs(second), isRunnable: true }))).toBeNull();
  });

  test("that gets no processor at all is not stuck", () => {
    expect(findStuck(3_600, () => ({ turns: 7, cpuMs: 400, isRunnable: true }))).toBeNull();
  });

  test("that takes its turns is not stuck, however much it computes", () => {
    const busy = (second: number) => ({ turns: Math.floor(second / 5), cpuMs: second * 1_000, isRunnable: true });
    expect(findStuck(3_600, busy)).toBeNull();
  });

  test("that sleeps between its turns is not stuck", () => {
    expect(findStuck(3_600, (second) => ({ turns: second, cpuMs: 400, isRunnable: false }))).toBeNull();
  });

  test("that waits inside of a turn for something that does not come is stuck after 30 checks", () => {
    expect(findStuck(100, () => ({ turns: 7, cpuMs: 400, isRunnable: false }))).toBe(30);
  });

  test("that waits in between for a disk and computes again is not stuck", () => {
    const slow = (second: number) => ({ turns: 7, cpuMs: Math.floor(second / 20) * 10, isRunnable: false });
    expect(findStuck(3_600, slow)).toBeNull();
  });
});
