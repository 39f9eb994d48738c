import { expect, test } from "vitest";
import { errorOf } from "#lib/contract/error-of.fixture";
import { LIMITS } from "#lib/contract/limits";
import { inBatchTurn } from "#lib/domain/limits/take-batch-turn";

/** Starts batches that end only when the test ends them, and records the order in which they get their turn. */
function startBatches() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (callerId: string, name: string) =>
    inBatchTurn(callerId, () => {
      started.push(name);
      return new Promise<void>((resolve) => {
        ends.set(name, resolve);
      });
    });
  return { started, start, end: (name: string) => ends.get(name)?.() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a key writes two batches at once, and its other batches wait in the order they came", async () => {
  const { started, start, end } = startBatches();
  const all = ["1", "2", "3", "4"].map((name) => start("key", name));
  await settled();
  expect(started).toEqual(["1", "2"]);
  end("2");
  await settled();
  expect(started).toEqual(["1", "2", "3"]);
  end("1");
  await settled();
  expect(started).toEqual(["1", "2", "3", "4"]);
  for (const name of ["3", "4"]) end(name);
  await Promise.all(all);
});

test("a key with many batches does not delay the batch of another key", async () => {
  const { started, start, end } = startBatches();
  const all = Array.from({ length: 8 }, (_, index) => start("many", `many ${index}`));
  const other = start("other", "other");
  await settled();
  expect(started).toEqual(["many 0", "many 1", "other"]);
  for (let index = 0; index < 8; index += 1) {
    end(`many ${index}`);
    await settled();
  }
  end("other");
  await Promise.all([...all, other]);
});

test("all keys together write four batches at once, and the next one is of a key that has none", async () => {
  const { started, start, end } = startBatches();
  const all = ["a", "b", "c", "d", "e"].flatMap((key) => [start(key, `${key}1`), start(key, `${key}2`)]);
  await settled();
  expect(started).toEqual(["a1", "a2", "b1", "b2"]);
  for (const name of ["a1", "b1", "a2", "b2"]) {
    end(name);
    await settled();
  }
  expect(started.slice(LIMITS.batchesAtOnce)).toEqual(["c1", "d1", "e1", "c2"]);
  for (const name of ["c1", "d1", "e1", "c2", "d2", "e2"]) {
    end(name);
    await settled();
  }
  await Promise.all(all);
});

test("a key with too many waiting batches is refused, and asked to wait a second", async () => {
  const { start, end, started } = startBatches();
  const count = LIMITS.batchesPerKey + LIMITS.batchesWaitingPerKey;
  const all = Array.from({ length: count }, (_, index) => start("key", String(index)));
  expect(await errorOf(start("key", "refused"))).toMatchObject({
    ...{ code: "RATE_LIMIT_EXCEEDED", reason: "too_many_batches", retryAfterSeconds: 1 },
  });
  for (let index = 0; index < count; index += 1) {
    end(String(index));
    await settled();
  }
  await Promise.all(all);
  expect(started).toHaveLength(count);
});

test("a batch that fails ends its turn", async () => {
  const { started, start, end } = startBatches();
  for (let count = 0; count < 3; count += 1) {
    await expect(inBatchTurn("key", () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  }
  const next = start("key", "next");
  await settled();
  expect(started).toEqual(["next"]);
  end("next");
  await next;
});
