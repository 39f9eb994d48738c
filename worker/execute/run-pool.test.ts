import { afterEach, describe, expect, test, vi } from "vitest";
import { addWorker } from "#lib/domain/runs/execute/held-lease.fixture";
import {
  addWorkspaceOf,
  takeNext as admit,
  queueSome as queue,
  requestOfWorker as request,
} from "#lib/domain/runs/execute/queued-runs.fixture";
import { reconcileRuns } from "#lib/domain/runs/recover/reconcile-runs";
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

/** Makes PostgreSQL fail the next statements that remove jobs, by one row each. */
async function failRemovals(failure: string, times: number): Promise<() => Promise<number>> {
  // A sequence keeps its value when the statement is rolled back.
  await db().query(`
    create sequence removals;
    create function fail_removal() returns trigger language plpgsql as $$
    begin
      if nextval('removals') <= ${times} then ${failure}; end if;
      return old;
    end $$;
    create trigger fail_removal before delete on graphile_worker._private_jobs for each row execute function fail_removal()`);
  ends.push(() => db().query("drop function fail_removal cascade; drop sequence removals"));
  return async () => {
    const { rows } = await db().query(
      "select case when is_called then last_value::int else 0 end as count from removals",
    );
    return rows[0].count;
  };
}

describe("a statement that removes jobs and fails ends no pool, and more runs are executed", () => {
  async function failing(failure: string, times: number) {
    const staged = await stage();
    const ended = vi.fn();
    void staged.pool.ended.then(ended, ended);
    const removals = await failRemovals(failure, times);
    await queue(await addWorkspaceOf(), 3);
    const first = await staged.admitAll();
    expect(first).toHaveLength(3);
    const executesMore = async () => {
      await db().query("delete from run_queue");
      await queue(await addWorkspaceOf(), 2);
      const second = await staged.admitAll();
      expect(second).toHaveLength(2);
      await eventually(() => expect(staged.executed.toSorted()).toEqual([...first, ...second].toSorted()));
      expect(ended).not.toHaveBeenCalled();
    };
    return { ...staged, removals, executesMore };
  }

  test.each([
    ["a deadlock", "raise exception 'deadlock detected' using errcode = '40P01'"],
    ["a lost connection", "perform pg_terminate_backend(pg_backend_pid())"],
  ])("after %s, it is repeated", async (_, failure) => {
    const { jobsLeft, removals, executesMore } = await failing(failure, 2);
    await eventually(async () => expect(await jobsLeft()).toBe(0));
    expect(await removals()).toBeGreaterThan(2);
    await executesMore();
    await eventually(async () => expect(await jobsLeft()).toBe(0));
  });

  test("after an error that a repetition would not change, its jobs are left to the reconciler", async () => {
    const { jobsLeft, removals, executesMore } = await failing("raise exception 'test' using errcode = '23514'", 1);
    await eventually(async () => expect(await removals()).toBe(1));
    await executesMore();
    await eventually(async () => expect(await jobsLeft()).toBe(3));
    await db().query("delete from run_queue");
    await reconcileRuns();
    expect(await jobsLeft()).toBe(0);
  });
});
