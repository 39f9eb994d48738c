import { afterEach, expect, test } from "vitest";
import { addWorker } from "#lib/domain/runs/execute/held-lease.fixture";
import {
  addWorkspaceOf,
  takeNext as admit,
  queueSome as queue,
  requestOfWorker as request,
} from "#lib/domain/runs/execute/queued-runs.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";
import { openJobConnection } from "#worker/execute/open-worker-pool";
import { type RunPool, startRunPool } from "#worker/execute/run-pool";

useTestDatabase();

const SLOTS = 5;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function stage() {
  const poolId = await addWorker({ slots: SLOTS });
  const executed: string[] = [];
  const jobDb = openJobConnection();
  const pool: RunPool = startRunPool({
    db: jobDb,
    slots: SLOTS,
    execute: async ({ runId }) => void executed.push(runId),
  });
  ends.push(async () => {
    await pool.stop();
    await jobDb.end();
  });
  /** Admits the runs that are queued, as many as fit. */
  const admitAll = async () => {
    const runs = await admit(request({ poolId, slots: SLOTS }));
    pool.deliver(runs);
    return runs.map(({ runId }) => runId);
  };
  const jobsLeft = async () => {
    const { rows } = await db().query("select 1 from graphile_worker.jobs where locked_by = $1", [poolId]);
    return rows.length;
  };
  return { poolId, pool, executed, admitAll, jobsLeft };
}

test("each admitted run is executed once, and its job is removed", async () => {
  const { executed, admitAll, jobsLeft } = await stage();
  await queue(await addWorkspaceOf(), SLOTS);
  const runs = await admitAll();
  await eventually(() => expect(executed.toSorted()).toEqual(runs.toSorted()));
  await eventually(async () => expect(await jobsLeft()).toBe(0));
  expect(runs.length).toBeGreaterThan(0);
});

test("a deadlock while jobs are removed ends no pool: the removal is repeated, and more runs are executed", async () => {
  const { pool, executed, admitAll, jobsLeft } = await stage();
  let hasEnded = false;
  void pool.ended.then(() => {
    hasEnded = true;
  });
  await db().query(`
    create sequence poisoned_removals;
    create function poison_removal() returns trigger language plpgsql as $$
    begin
      if nextval('poisoned_removals') <= 2 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
      return old;
    end $$;
    create trigger poison_removal before delete on graphile_worker._private_jobs for each row execute function poison_removal()`);
  ends.push(() => db().query("drop function poison_removal cascade; drop sequence poisoned_removals"));
  await queue(await addWorkspaceOf(), 3);
  const first = await admitAll();
  await eventually(async () => expect(await jobsLeft()).toBe(0));
  const { rows } = await db().query("select last_value::int as removals from poisoned_removals");
  expect(rows[0].removals).toBeGreaterThan(2);

  await db().query("delete from run_queue");
  await queue(await addWorkspaceOf(), 2);
  const second = await admitAll();
  await eventually(() => expect(executed.toSorted()).toEqual([...first, ...second].toSorted()));
  expect(second.length).toBeGreaterThan(0);
  expect(hasEnded).toBe(false);
});
