import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { watchForIdleness } from "#worker/supervise/watch-for-idleness";

useTestDatabase();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets seconds pass, each with time for the answer of the database. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    vi.advanceTimersByTime(1_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
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
