import type pg from "pg";
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { watchForIdleness } from "#worker/supervise/watch-for-idleness";

useTestDatabase();

let query: MockInstance<pg.Pool["query"]>;
beforeEach(() => {
  query = vi.spyOn(db(), "query");
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Waits until the database has answered, and the watcher has read the answers. */
async function answered(): Promise<void> {
  await Promise.all(query.mock.results.map(({ value }) => value));
  await new Promise((resolve) => setImmediate(resolve));
}

/** Lets seconds pass. The check of each second is answered before the next one. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    vi.advanceTimersByTime(1_000);
    await answered();
  }
}

test("a quarantine worker ends while a suspect run waits for days, and not while one is due or executing", async () => {
  await db().query(`insert into run_queue (run_id, workspace_id, is_suspect, is_later, run_at)
    values (gen_random_uuid(), gen_random_uuid(), true, true, now() + interval '30 days')`);
  await db().query(`insert into run_queue (run_id, workspace_id, is_suspect, ticket, taken_by)
    values (gen_random_uuid(), gen_random_uuid(), true, 1, 'here')`);
  const onIdle = vi.fn();
  watchForIdleness(onIdle);
  await pass(15);
  expect(onIdle).not.toHaveBeenCalled();
  await db().query("update run_queue set is_later = true, run_at = now() + interval '1 hour', ticket = null");
  await pass(15);
  expect(onIdle).toHaveBeenCalledTimes(1);
});

test("a quarantine worker ends once, even if several checks are answered after ten idle seconds", async () => {
  const onIdle = vi.fn();
  watchForIdleness(onIdle);
  await pass(9);
  const holder = await db().connect();
  await holder.query("begin; lock table run_queue in access exclusive mode");
  vi.advanceTimersByTime(3_000);
  await holder.query("commit");
  holder.release();
  await answered();
  expect(onIdle).toHaveBeenCalledTimes(1);
});
