import { afterEach, expect, test, vi } from "vitest";
import { openSlots } from "#worker/execute/slots";

afterEach(() => {
  vi.useRealTimers();
});

test("a run that waits makes room for another one that computes, up to the ceiling", async () => {
  const rooms: boolean[] = [];
  const slots = openSlots({ ceiling: 5, workingMax: () => 2, onRoom: (hasLeft) => rooms.push(hasLeft) });
  const [first, second] = [slots.take(), slots.take()];
  expect(slots.room()).toBe(0);
  const answer = Promise.withResolvers<string>();
  const waiting = first.whileWaiting(answer.promise);
  expect([slots.room(), slots.held(), rooms]).toEqual([1, 2, [false]]);
  for (let count = 0; count < 3; count += 1) void slots.take().whileWaiting(new Promise(() => {}));
  expect([slots.room(), slots.held()]).toEqual([0, 5]);
  second.leave();
  expect(slots.room()).toBe(1);
  answer.resolve("yes");
  expect(await waiting).toBe("yes");
  first.leave();
  expect([slots.room(), slots.held()]).toEqual([2, 3]);
});

test("parallel waits of one run count once, and a wait does not count after its run has ended", async () => {
  const slots = openSlots({ ceiling: 5, workingMax: () => 2, onRoom: () => {} });
  const run = slots.take();
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const waits = [run.whileWaiting(one.promise), run.whileWaiting(other.promise)];
  expect(slots.room()).toBe(2);
  one.resolve();
  await waits[0];
  expect(slots.room()).toBe(2);
  run.leave();
  expect(slots.room()).toBe(2);
  other.resolve();
  await waits[1];
  expect(slots.room()).toBe(2);
  slots.take();
  expect(slots.room()).toBe(1);
});

test("a run that waits for its turn in the sandbox makes room when its turn comes", () => {
  const slots = openSlots({ ceiling: 5, workingMax: () => 2, onRoom: () => {} });
  const run = slots.take();
  const endTurn = run.expectTurn();
  void run.whileWaiting(new Promise(() => {}));
  expect(slots.room()).toBe(1);
  endTurn();
  expect(slots.room()).toBe(2);
  endTurn();
  expect(slots.room()).toBe(2);
  run.leave();
  expect([slots.room(), slots.held()]).toEqual([2, 0]);
});

test("a run that waits long for its turn makes room, so that slow code does not keep other runs out", () => {
  vi.useFakeTimers();
  const slots = openSlots({ ceiling: 5, workingMax: () => 2, onRoom: () => {} });
  for (let count = 0; count < 2; count += 1) {
    const run = slots.take();
    void run.whileWaiting(new Promise(() => {}));
    expect(slots.room()).toBe(2 - count);
    run.expectTurn();
    expect(slots.room()).toBe(1 - count);
  }
  vi.advanceTimersByTime(99);
  expect(slots.room()).toBe(0);
  vi.advanceTimersByTime(1);
  expect(slots.room()).toBe(2);
});
