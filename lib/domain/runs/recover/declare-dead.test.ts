import { expect, test } from "vitest";
import { addWorker } from "#lib/domain/runs/execute/held-lease.fixture";
import { NO_WORKSPACE, takeRuns } from "#lib/domain/runs/execute/take-runs";
import { declareDead, takeFromDead } from "#lib/domain/runs/recover/declare-dead";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

test("while a worker is declared dead, the others take runs", async () => {
  await db().query("insert into run_queue (run_id, workspace_id) values (gen_random_uuid(), gen_random_uuid())");
  const [dead, other] = [await addWorker(), await addWorker()];
  const client = await db().connect();
  try {
    await client.query("begin");
    await takeFromDead(client, [dead]);
    const asking = await db().connect();
    try {
      await asking.query("set lock_timeout = '2s'");
      const request = { poolId: other, wanted: 1, slots: 40, afterWorkspace: NO_WORKSPACE, isOnlyNew: false };
      expect((await takeRuns(asking, request)).runs).toHaveLength(1);
    } finally {
      asking.release(true);
    }
  } finally {
    await client.query("rollback");
    client.release();
  }
});

test("a worker is declared dead although PostgreSQL ends the first attempt because of a deadlock", async () => {
  const poolId = await addWorker();
  // A sequence keeps its value when the transaction is rolled back, so only the first attempt fails.
  await db().query(`
    create sequence attempts;
    create function deadlock_once() returns trigger language plpgsql as $$ begin
      if nextval('attempts') = 1 then raise exception 'test' using errcode = '40P01'; end if;
      return new;
    end $$;
    create trigger deadlock_once before update on worker_heartbeats for each row execute function deadlock_once()`);
  await declareDead([poolId]);
  const { rows } = await db().query("select pool_id from worker_heartbeats where dead_at is not null");
  expect(rows).toEqual([{ pool_id: poolId }]);
});
