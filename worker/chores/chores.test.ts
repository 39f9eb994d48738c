import { afterAll, expect, test, vi } from "vitest";
import { fireDueSchedules } from "#lib/domain/triggers/schedules/fire-due-schedules";
import { addTrigger } from "#lib/domain/triggers/trigger.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";
import { startChores } from "#worker/chores/chores";
import { findDueWork } from "#worker/chores/find-due-work";

await openTestDatabase();
afterAll(() => vi.restoreAllMocks());

const workspace = await addWorkspace();
const NOTHING = {
  sweep: false,
  expiry: false,
  schedule: false,
  listener: false,
  delivery: false,
  failure: false,
  run: false,
  job: false,
};
const sql = (text: string, values: unknown[] = []) => db().query({ text, values });

test("an instance without work has nothing that is due, and each kind of work is found", async () => {
  expect(await findDueWork()).toEqual(NOTHING);

  const { subscriptionId } = await addTrigger(workspace, { kind: "schedule", mode: "interval", seconds: 3_600 });
  const fireIn = (seconds: number) =>
    sql("update trigger_subscriptions set next_at = now() + make_interval(secs => $2) where id = $1", [
      subscriptionId,
      seconds,
    ]);
  await fireIn(60);
  expect(await findDueWork()).toEqual(NOTHING);
  await fireIn(2);
  expect(await findDueWork()).toEqual({ ...NOTHING, schedule: true });
  await fireIn(0);
  expect((await fireDueSchedules()).fired).toBe(1);
  expect(await findDueWork()).toEqual({ ...NOTHING, run: true });
  await sql("update run_queue set is_later = true, run_at = now() + interval '1 hour'");
  expect(await findDueWork()).toEqual(NOTHING);

  await sql(
    `insert into approvals (id, workspace_id, run_id, kind, status, expires_at)
     select id, workspace_id, id, 'policy', 'pending', now() from runs`,
  );
  expect(await findDueWork()).toEqual({ ...NOTHING, expiry: true });
  await sql("update approvals set expires_at = now() + interval '1 hour'");

  await sql(
    "insert into worker_heartbeats (pool_id, host, pid, last_seen_at) values ('silent', 'h', 1, now() - interval '6 s')",
  );
  expect(await findDueWork()).toEqual({ ...NOTHING, sweep: true });
  await sql("update worker_heartbeats set dead_at = now()");

  await sql("select graphile_worker.add_job('keep_house', run_at => now() + interval '1 hour')");
  expect(await findDueWork()).toEqual(NOTHING);
  await sql("select graphile_worker.add_job('keep_house')");
  expect(await findDueWork()).toEqual({ ...NOTHING, job: true });
});

test("looks with every tick while there is work, and with every other one after ten ticks without", async () => {
  await sql("delete from graphile_worker._private_jobs");
  const asked = vi.spyOn(db(), "query");
  const countLooks = () =>
    asked.mock.calls.filter(([query]) => JSON.stringify(query)?.includes("look_for_due_work")).length;
  const never = () => expect.fail("nothing is due");
  const send = () => Promise.reject(new Error("nothing is sent"));
  const chores = startChores({ send, isSteady: () => false, onQuarantineNeeded: never, onRun: never, onJob: never });
  let looks = 0;
  const untilLooked = async () => {
    looks += 1;
    await eventually(() => expect(countLooks()).toBe(looks));
  };
  await untilLooked();
  const tick = async (isBusy: boolean, isLook: boolean) => {
    // A tick during a look leads to another one.
    await Promise.all(asked.mock.results.map(({ value }) => value));
    await new Promise((resolve) => setImmediate(resolve));
    chores.tick(isBusy);
    if (isLook) await untilLooked();
  };
  await tick(true, true);
  for (let ticks = 1; ticks < 10; ticks += 1) await tick(false, true);
  for (let ticks = 10; ticks < 20; ticks += 1) await tick(false, ticks % 2 === 0);
  await tick(true, true);
  await chores.stop();
  expect(countLooks()).toBe(looks);
});
