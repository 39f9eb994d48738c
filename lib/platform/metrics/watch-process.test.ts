import { expect, test } from "vitest";
import { closeDb, db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { readMetrics } from "#lib/platform/metrics/read-metrics";
import { watchDatabaseWaits } from "#lib/platform/metrics/watch-process";

useTestDatabase();

async function countWaits(): Promise<number> {
  const family = (await readMetrics()).find(({ name }) => name === "signalbox_database_wait_seconds");
  return family?.samples.find(({ name }) => name.endsWith("_count"))?.value ?? 0;
}

test("work waits visibly if all connections are busy, and is not measured if one is free", async () => {
  await closeDb();
  watchDatabaseWaits("worker");
  const max = db().options.max;
  await Promise.all(Array.from({ length: max }, () => db().query("select 1")));
  expect(await countWaits()).toBe(0);
  const busy = await Promise.all(Array.from({ length: max }, () => db().connect()));
  const waiting = [db().query("select 1"), db().connect()] as const;
  for (const client of busy) client.release();
  await waiting[0];
  (await waiting[1]).release();
  expect(await countWaits()).toBe(2);
});
