import { expect, test } from "vitest";
import { tokenBuckets } from "#lib/support/token-buckets";

function bucketsAt(burst: number, perMinute: number) {
  const clock = { ms: 1_000 };
  return { clock, buckets: tokenBuckets({ burst, perMinute }, () => clock.ms) };
}

test("a key can take its burst, then waits for exactly the returned time", () => {
  const { clock, buckets } = bucketsAt(3, 6);
  expect([1, 2, 3].map(() => buckets.take("a"))).toEqual([0, 0, 0]);
  expect(buckets.isEmpty("a")).toBe(true);
  expect(buckets.take("a")).toBe(10);
  clock.ms += 9_999;
  expect(buckets.take("a")).toBe(1);
  clock.ms += 1;
  expect(buckets.isEmpty("a")).toBe(false);
  expect(buckets.take("a")).toBe(0);
  expect(buckets.take("a")).toBe(10);
});

test("a refused attempt costs nothing", () => {
  const { clock, buckets } = bucketsAt(1, 60);
  buckets.take("a");
  for (let n = 0; n < 100; n += 1) buckets.take("a");
  clock.ms += 1_000;
  expect(buckets.take("a")).toBe(0);
});

test("a bucket never holds more than its burst, and keys do not affect each other", () => {
  const { clock, buckets } = bucketsAt(2, 60);
  clock.ms += 3_600_000;
  expect([1, 2, 3].map(() => buckets.take("a"))).toEqual([0, 0, 1]);
  expect(buckets.take("b")).toBe(0);
});

test("the memory is bounded: the key that was not used for longest is forgotten first", () => {
  const { buckets } = bucketsAt(1, 1);
  buckets.take("used");
  buckets.take("forgotten");
  for (let n = 0; n < 9_999; n += 1) {
    buckets.take(`key ${n}`);
    if (n === 5_000) buckets.take("used");
  }
  expect(buckets.isEmpty("used")).toBe(true);
  expect(buckets.isEmpty("forgotten")).toBe(false);
});

test("a long key is cut", () => {
  const { buckets } = bucketsAt(1, 1);
  buckets.take("x".repeat(100_000));
  expect(buckets.isEmpty("x".repeat(200))).toBe(true);
});

test("a returned token can be taken again, and a bucket never gets more than its burst", () => {
  const { buckets } = bucketsAt(2, 6);
  buckets.take("a");
  buckets.take("a");
  expect(buckets.wait("a")).toBe(10);
  buckets.giveBack("a");
  expect(buckets.wait("a")).toBe(0);
  expect([buckets.take("a"), buckets.take("a")]).toEqual([0, 10]);
  buckets.giveBack("b");
  expect([1, 2, 3].map(() => buckets.take("b"))).toEqual([0, 0, 10]);
});
