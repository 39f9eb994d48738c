import { expect, test } from "vitest";
import { appendEvents, EMPTY_BATCH, type Lease } from "#lib/domain/journal/append-events";
import { admitRuns, NO_WORKSPACE } from "#lib/domain/runs/execute/admit-runs";
import { finishRuns } from "#lib/domain/runs/execute/finish-runs";
import { addWorker, claimed, countLockWaits, SUCCEEDED } from "#lib/domain/runs/execute/held-lease.fixture";
import { edges, node, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { declareDead, takeFromDead } from "#lib/domain/runs/recover/declare-dead";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";

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
      expect((await admitRuns(asking, request)).runs).toHaveLength(1);
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

test("runs are locked in the order of their ids when they end, are written and lose their worker", async () => {
  const nodes = [node("in", "action_input"), node("out", "return_output")];
  const workflow = await seedWorkflow(db(), { nodes, edges: edges("in>out") });
  const attempts = [
    (leases: Lease[], poolId: string) => {
      const writes = leases.map((lease) => ({ lease, usedMs: 0, batch: EMPTY_BATCH }));
      return appendEvents(db(), writes, { poolId, isRepeat: false });
    },
    (leases: Lease[]) => {
      const finishes = leases.map((lease) => ({ lease, ...SUCCEEDED, batch: EMPTY_BATCH }));
      return finishRuns(db(), finishes);
    },
    (_: Lease[], poolId: string) => declareDead([poolId]),
  ];
  for (const attempt of attempts) {
    const poolId = await addWorker();
    const leases: Lease[] = [];
    for (let index = 0; index < 3; index += 1) leases.push(await claimed(await seedRun(db(), workflow), poolId));
    const [last, middle, first] = leases.toSorted((one, other) => (one.runId < other.runId ? 1 : -1));
    const client = await db().connect();
    await client.query("begin");
    await client.query("select 1 from runs where id = $1 for update", [first?.runId]);
    const waiting = attempt(
      [last, middle, first].filter((lease) => lease !== undefined),
      poolId,
    );
    await eventually(async () => expect(await countLockWaits()).toBe(1));
    // It waits for the first one and has not locked the others yet.
    const ids = [middle?.runId, last?.runId];
    const free = await client.query("select 1 from runs where id = any($1) for update nowait", [ids]);
    expect(free.rowCount).toBe(2);
    await client.query("rollback");
    client.release();
    await waiting;
  }
});
