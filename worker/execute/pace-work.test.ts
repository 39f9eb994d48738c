import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { paceWork } from "#worker/execute/pace-work";

const TURN_MS = 20;

function stage() {
  const state = { nowMs: 0, more: 0 };
  const pace = paceWork({ most: 10, now: () => state.nowMs, onMore: () => (state.more += 1) });
  /** Lets a second pass in which every turn is this late. */
  const second = (delayMs: number, cpuMs = delayMs) => {
    for (const endMs = state.nowMs + 1_000; state.nowMs < endMs; ) {
      state.nowMs += TURN_MS + delayMs;
      pace.note(delayMs, cpuMs);
    }
    return pace.workingMax();
  };
  return { pace, state, second };
}

const LATE = LIMITS.workerLateMs + 1;
const BETWEEN = (LIMITS.workerLateMs + LIMITS.workerPunctualMs) / 2;

test("a worker takes fewer runs at once while its event loop is late, down to one, and slowly more when it is on time", () => {
  const { second, state } = stage();
  expect([second(LATE), second(LATE), second(LATE), second(LATE), second(LATE)]).toEqual([5, 2, 1, 1, 1]);
  expect([second(BETWEEN), second(BETWEEN)]).toEqual([1, 1]);
  expect(state.more).toBe(0);
  expect(Array.from({ length: 11 }, () => second(0))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]);
  expect(state.more).toBe(9);
});

test("a single long turn, like a garbage collection, changes nothing", () => {
  const { second, pace, state } = stage();
  state.nowMs += 200;
  pace.note(200, 200);
  expect(second(5)).toBe(10);
});

test("late turns do not count if other programs on the machine cause them", () => {
  const { second } = stage();
  expect([second(300, 10), second(300, 10)]).toEqual([10, 10]);
});

test("a worker that was at rest takes as many runs at once again as if its event loop had been on time", () => {
  const { pace, second, state } = stage();
  expect([second(LATE), second(LATE), second(LATE)]).toEqual([5, 2, 1]);
  state.nowMs += 5_000;
  pace.note(0, 0);
  expect(pace.workingMax()).toBe(6);
  state.nowMs += 60_000;
  pace.note(0, 0);
  expect(pace.workingMax()).toBe(10);
});
