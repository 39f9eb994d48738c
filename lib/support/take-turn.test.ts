import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { takeTurn } from "#lib/support/take-turn";

const clock = { nowMs: 0 };
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(async () => {
  await nextTurn();
  vi.spyOn(performance, "now").mockImplementation(() => clock.nowMs);
});
afterEach(() => vi.restoreAllMocks());

/** Works in pieces of 40 ms on a clock that only this work moves. */
async function work(name: string, pieces: number, done: string[]): Promise<void> {
  for (let piece = 1; piece <= pieces; piece += 1) {
    const turn = takeTurn();
    if (turn !== null) await turn;
    clock.nowMs += 40;
    done.push(`${name}${piece}`);
  }
}

test("work that lasts less than its slice continues without a pause", () => {
  for (let piece = 0; piece < 14; piece += 1) {
    expect(takeTurn()).toBeNull();
    clock.nowMs += 1;
  }
});

test("work that lasts longer than its slice waits for the next turn", async () => {
  expect(takeTurn()).toBeNull();
  clock.nowMs += 15;
  const turn = takeTurn();
  expect(turn).not.toBeNull();
  await turn;
});

test("timers and input run between two pieces of long work, in any part of the process", async () => {
  const done: string[] = [];
  const ticks: number[] = [];
  let isOver = false;
  const tick = () => {
    ticks.push(done.length);
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await Promise.all([work("a", 3, done), work("b", 3, done), work("c", 3, done)]);
  isOver = true;
  expect(done.toSorted()).toEqual(["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]);
  const together = ticks.map((count, index) => count - (ticks[index - 1] ?? 0));
  expect(Math.max(...together)).toBe(1);
});
