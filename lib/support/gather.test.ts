import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { gather } from "#lib/support/gather";

const options = { atOnce: 1, max: 3, isItemsFault: (error: unknown) => (error as Error).message === "bad item" };

describe("gathering", () => {
  it("calls of one turn of the event loop, and calls made while a batch is in flight, share batches of up to `max` items", async () => {
    const batches: number[][] = [];
    const gate = Promise.withResolvers<void>();
    const double = gather(async (items: number[]) => {
      batches.push(items);
      if (batches.length === 1) await gate.promise;
      return items.map((item) => item * 2);
    }, options);
    const first = [double(1), double(2)];
    await turn();
    await turn();
    const later = [3, 4, 5, 6].map(double);
    gate.resolve();
    expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10, 12]);
    expect(batches).toEqual([[1, 2], [3, 4, 5], [6]]);
  });

  it("a batch stays within the maximum size, and a larger item is sent alone", async () => {
    const batches: number[][] = [];
    const send = gather(
      async (items: number[]) => {
        batches.push(items);
        return items;
      },
      { ...options, max: 4, bytes: { max: 10, of: (item) => item } },
    );
    const items = [6, 4, 1, 30, 5, 5, 1, 1, 1, 1, 1];
    expect(await Promise.all(items.map(send))).toEqual(items);
    expect(batches).toEqual([[6, 4], [1], [30], [5, 5], [1, 1, 1, 1], [1]]);
  });

  it("one bad item fails alone, and an error that no item caused fails the whole batch", async () => {
    const work = gather(async (items: string[]) => {
      if (items.includes("bad")) throw new Error("bad item");
      if (items.includes("down")) throw new Error("the database is down");
      return items;
    }, options);
    const mixed = await Promise.allSettled(["a", "bad", "b"].map(work));
    expect(mixed.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const down = await Promise.allSettled(["a", "down"].map(work));
    expect(down.map((result) => result.status)).toEqual(["rejected", "rejected"]);
  });
});
