import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { hasMemory, watchMemory } from "#worker/execute/has-memory";

/** A process with memory in use and garbage. A collection of it takes `tookMs`. */
function stage({ used, garbage, tookMs }: { used: number; garbage: number; tookMs: number }) {
  const state = { used, garbage, nowMs: 0, collections: 0 };
  const isFit = watchMemory({
    measure: () => state.used + state.garbage,
    collect: () => {
      state.garbage = 0;
      state.nowMs += tookMs;
      state.collections += 1;
    },
    now: () => state.nowMs,
  });
  return { state, isFit };
}

const LIMIT = LIMITS.workerMemoryBytes;

test("garbage does not keep runs waiting", () => {
  const { isFit, state } = stage({ used: LIMIT / 2, garbage: LIMIT, tookMs: 50 });
  expect(isFit()).toBe(true);
  expect(state.collections).toBe(1);
});

test("garbage of this process does not keep runs waiting", () => {
  expect(Buffer.alloc(LIMIT).length).toBe(LIMIT);
  expect(hasMemory()).toBe(true);
});

test("below the limit nothing is collected", () => {
  const { isFit, state } = stage({ used: LIMIT / 2, garbage: LIMIT / 4, tookMs: 50 });
  expect(isFit()).toBe(true);
  expect(state.collections).toBe(0);
});

test.each([50, 1_000])("while memory is in use, collections of %i ms take at most 5% of the time", (tookMs) => {
  const { isFit, state } = stage({ used: 2 * LIMIT, garbage: 0, tookMs });
  for (; state.nowMs < 600_000; state.nowMs += 100) expect(isFit()).toBe(false);
  expect(state.collections).toBeGreaterThan(10);
  expect((state.collections - 1) * tookMs).toBeLessThanOrEqual(state.nowMs / 20);
  state.used = LIMIT / 2;
  expect(isFit()).toBe(true);
});
