import { expect, test } from "vitest";
import { sizedCache } from "#lib/support/sized-cache";

test("entries together stay below the limit, and the least recently used leave first", () => {
  const cache = sizedCache<string, number>(100);
  cache.set("a", 1, 40);
  cache.set("b", 2, 40);
  expect(cache.get("a")).toBe(1);
  cache.set("c", 3, 40);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3]);
  expect(cache.bytes).toBe(80);
});

test("an entry that is set again counts once", () => {
  const cache = sizedCache<string, number>(100);
  for (let round = 0; round < 10; round += 1) cache.set("a", round, 60);
  expect(cache.get("a")).toBe(9);
  expect(cache.bytes).toBe(60);
});

test("an entry larger than the cache is not kept and removes no others", () => {
  const cache = sizedCache<string, number>(100);
  cache.set("a", 1, 60);
  cache.set("b", 2, 101);
  expect([cache.get("a"), cache.get("b")]).toEqual([1, undefined]);
});
