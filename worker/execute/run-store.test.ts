import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { EMPTY_BATCH, type Lease } from "#lib/domain/journal/append-events";
import type { Db } from "#lib/platform/db/pool";
import { openRunStore } from "#worker/execute/run-store";

const MIB = 1_048_576;

/** A database that records the bytes of each statement. It knows no run. */
function stage() {
  const sizes: number[] = [];
  const query = async ({ values }: { values: unknown[] }) => {
    sizes.push(Buffer.byteLength(String(values[0])));
    return { rows: [] };
  };
  return { sizes, store: openRunStore({ query } as unknown as Db, "pool") };
}

const lease = (): Lease => ({ runId: "00000000-0000-0000-0000-000000000001", token: 1, isClaimed: true });
const text = (bytes: number) => JSON.stringify(["x".repeat(bytes)]);

test("journals that 50 runs write at once are sent in statements of at most 8 MiB", async () => {
  const { store, sizes } = stage();
  const batch = { ...EMPTY_BATCH, events: text(MIB), checkpoints: text(MIB / 2) };
  const write = () => store.appendEvents({ lease: lease(), usedMs: 1, batch }, false);
  await Promise.all(Array.from({ length: 50 }, write));
  expect(sizes).toHaveLength(10);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(LIMITS.journalStatementBytes);
});

test("outputs of runs that end at once are sent in statements of at most 8 MiB", async () => {
  const { store, sizes } = stage();
  const output = { shown: text(MIB), sealed: "x".repeat(MIB / 2), servesSealed: true };
  const outcome = { status: "succeeded", output } as const;
  const finish = () => store.finishRun({ lease: lease(), usedMs: 1, outcome, batch: EMPTY_BATCH });
  await Promise.all(Array.from({ length: 20 }, finish));
  expect(sizes).toHaveLength(4);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(LIMITS.journalStatementBytes);
});

test("a run counts as opened until the worker leaves it", async () => {
  const lists: unknown[] = [];
  const query = async ({ values }: { values: unknown[] }) => {
    lists.push(values.slice(2));
    return { rows: [] };
  };
  const store = openRunStore({ query } as unknown as Db, "pool");
  await Promise.all([store.openRun("a"), store.openRun("b")]);
  store.leaveRun("a");
  await store.openRun("c");
  expect(lists).toEqual([
    ["pool", ["a", "b"], 1],
    ["pool", ["b", "c"], 2],
  ]);
});

test("small journals that runs write at once share a statement", async () => {
  const { store, sizes } = stage();
  const write = () => store.appendEvents({ lease: lease(), usedMs: 1, batch: EMPTY_BATCH }, false);
  await Promise.all(Array.from({ length: 50 }, write));
  expect(sizes).toHaveLength(1);
});
