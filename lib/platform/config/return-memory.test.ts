import { getHeapStatistics } from "node:v8";
import { afterEach, expect, test, vi } from "vitest";
import { returnMemory, returnMemoryWhenIdle } from "#lib/platform/config/return-memory";

afterEach(() => void vi.useRealTimers());

const heapMib = () => getHeapStatistics().total_physical_size / 1_048_576;

test("the space of objects that no longer exist is returned to the system, and gc stays private", () => {
  const garbage = Array.from({ length: 500_000 }, (_, index) => ({ index, text: `text ${index}` }));
  const full = heapMib();
  garbage.length = 0;
  returnMemory();
  expect(heapMib()).toBeLessThan(full - 20);
  expect(globalThis).not.toHaveProperty("gc");
});

test("a process that is busy after its start returns the space once, when it has nothing to do", () => {
  vi.useFakeTimers();
  const seconds = [1, 0.5, 0.06, 0.04, 0.9, 0];
  const returned: number[] = [];
  returnMemoryWhenIdle(
    () => seconds.shift() ?? 0,
    () => returned.push(seconds.length),
  );
  vi.advanceTimersByTime(10_000);
  expect(returned).toEqual([2]);
});
