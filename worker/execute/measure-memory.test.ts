import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { measureMemory, watchMemory } from "#worker/execute/measure-memory";

/** Simulates a process with memory in use and garbage. A collection takes `tookMs`. */
function stage({ used, garbage, tookMs }: { used: number; garbage: number; tookMs: number }) {
  const state = { used, garbage, nowMs: 0, collections: 0 };
  const left = watchMemory({
    measure: () => state.used + state.garbage,
    collect: () => {
      state.garbage = 0;
      state.nowMs += tookMs;
      state.collections += 1;
    },
    now: () => state.nowMs,
  });
  return { state, left };
}

const LIMIT = LIMITS.workerMemoryBytes;

test("garbage does not keep runs waiting", () => {
  const { left, state } = stage({ used: LIMIT / 2, garbage: LIMIT, tookMs: 50 });
  expect(left()).toBe("enough");
  expect(state.collections).toBe(1);
});

test("garbage of this process does not keep runs waiting", () => {
  expect(Buffer.alloc(LIMIT).length).toBe(LIMIT);
  expect(measureMemory()).toBe("enough");
});

test("below the limit nothing is collected", () => {
  const { left, state } = stage({ used: LIMIT / 2, garbage: LIMIT / 4, tookMs: 50 });
  expect(left()).toBe("enough");
  expect(state.collections).toBe(0);
});

test.each([50, 1_000])("while memory is in use, collections of %i ms take at most 5% of the time", (tookMs) => {
  const { left, state } = stage({ used: 2 * LIMIT, garbage: 0, tookMs });
  for (; state.nowMs < 600_000; state.nowMs += 100) expect(left()).toBe("none");
  expect(state.collections).toBeGreaterThan(10);
  expect((state.collections - 1) * tookMs).toBeLessThanOrEqual(state.nowMs / 20);
  state.used = LIMIT / 2;
  expect(left()).toBe("enough");
});

test("between the two limits, the worker has memory for a few runs", () => {
  const { left, state } = stage({ used: LIMIT, garbage: LIMIT, tookMs: 50 });
  expect(left()).toBe("few");
  state.used = LIMITS.workerMemoryMaxBytes;
  state.nowMs += 100;
  expect(left()).toBe("none");
});
