import { beforeEach, describe, expect, test } from "vitest";
import { type Plan, RUN_SHARES } from "#lib/contract/workspace/plans";
import {
  type AdmittedRun,
  admitRuns,
  admitSuspectRun,
  dropAdmitted,
  giveRunBack,
} from "#lib/domain/runs/execute/admit-runs";
import { addWorker, countAdvisoryWaits } from "#lib/domain/runs/execute/held-lease.fixture";
import {
  addWorkspaceOf,
  queueSome as queue,
  requestOfWorker as request,
  takeNext as take,
} from "#lib/domain/runs/execute/queued-runs.fixture";
import { declareDead } from "#lib/domain/runs/recover/declare-dead";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";

useTestDatabase();

beforeEach(async () => {
  await db().query(
    "delete from run_queue; delete from idle_workers; delete from worker_heartbeats; delete from workspaces",
  );
});

async function held(workspaceId: string): Promise<number> {
  const { rows } = await db().query<{ n: number }>(
    "select count(*)::int as n from run_queue where workspace_id = $1 and ticket is not null",
    [workspaceId],
  );
  return rows[0]?.n ?? 0;
}

async function workspaceOf({ runId }: AdmittedRun): Promise<string> {
  const { rows } = await db().query("select workspace_id as id from run_queue where run_id = $1", [runId]);
  return rows[0].id;
}

describe("no workspace can hold all the slots", () => {
  test.each(Object.entries(RUN_SHARES))(
    "a workspace of plan %s with 10,000 queued runs leaves slots free",
    async (plan, share) => {
      await addWorkspaceOf();
      const greedy = await addWorkspaceOf(plan as Plan);
      await queue(greedy, 10_000);
      await take();
      await take();
      expect(await held(greedy)).toBe(Math.ceil((40 * share) / (1 + share)));
      expect(40 - (await held(greedy))).toBeGreaterThanOrEqual(40 / 10);
    },
  );

  test("the next workspaces get a slot at once, however many greedy ones came before", async () => {
    const greedy = await Promise.all(Array.from({ length: 8 }, () => addWorkspaceOf("business")));
    for (const id of greedy) await queue(id, 100);
    await take();
    await take();
    for (let index = 0; index < 4; index += 1) {
      const next = await addWorkspaceOf();
      await queue(next, 100);
      await take();
      expect(await held(next)).toBe(1);
    }
  });

  test("the last free slot goes to a workspace that has no run in flight", async () => {
    const [greedy, next] = [await addWorkspaceOf("business"), await addWorkspaceOf()];
    await queue(greedy, 10);
    expect(await take({ slots: 3 })).toHaveLength(2);
    expect(await take({ slots: 3 })).toEqual([]);
    await queue(next, 2);
    expect(await take({ slots: 3 })).toHaveLength(1);
    expect(await held(next)).toBe(1);
  });

  test("a worker with a single slot still executes runs", async () => {
    await addWorkspaceOf();
    await queue(await addWorkspaceOf(), 2);
    expect(await take({ slots: 1 })).toHaveLength(1);
    expect(await take({ slots: 1 })).toEqual([]);
  });

  test("the only workspace of an instance uses every slot", async () => {
    const id = await addWorkspaceOf();
    await queue(id, 100);
    expect(await take()).toHaveLength(40);
  });

  test("the slots of all live workers count, those of dead, silent and quarantine workers do not", async () => {
    await addWorkspaceOf();
    const id = await addWorkspaceOf();
    await queue(id, 1_000);
    await addWorker();
    await addWorker({ silentSeconds: 60 });
    await addWorker({ isQuarantine: true });
    await db().query("update worker_heartbeats set slots = 40");
    await take();
    expect(await held(id)).toBe(60);
  });
});

describe("workspaces take turns", () => {
  test.each([1, 4, 40])("two with equal load each get half of %i slots, no matter which came first", async (slots) => {
    const [first, second] = [await addWorkspaceOf(), await addWorkspaceOf()];
    await queue(first, 5_000);
    await queue(second, 300);
    const served = { [first]: 0, [second]: 0 };
    const executing = await take({ slots });
    for (let ended = 0; ended < 400; ended += 1) {
      const run = executing.shift();
      if (!run) return expect.fail("no slot is in use");
      served[await workspaceOf(run)] = (served[await workspaceOf(run)] ?? 0) + 1;
      await dropAdmitted(db(), run, "here");
      executing.push(...(await take({ slots, wanted: 1 })));
    }
    for (const count of Object.values(served)) expect(count).toBeGreaterThanOrEqual(180);
  });

  test("the one with the fewest runs in flight is next, weighted by plan", async () => {
    const [free, business] = [await addWorkspaceOf("free"), await addWorkspaceOf("business")];
    await queue(free, 200);
    await queue(business, 200);
    await take({ slots: 120 });
    const [few, many] = [await held(free), await held(business)];
    expect(many / few).toBeGreaterThan((RUN_SHARES.business ?? 0) / (RUN_SHARES.free ?? 1) - 0.2);
    expect(many / few).toBeLessThan((RUN_SHARES.business ?? 0) / (RUN_SHARES.free ?? 1) + 0.2);
  });

  test("a hundred of them with runs in flight do not keep a new one from the front", async () => {
    for (let index = 0; index < 100; index += 1) await queue(await addWorkspaceOf(), 3);
    await take({ slots: 400, wanted: 120 });
    const late = await addWorkspaceOf();
    await queue(late, 1);
    const [run] = await take({ slots: 400, wanted: 1 });
    expect(run && (await workspaceOf(run))).toBe(late);
  });

  test("a request for new workspaces leaves out those with a run in flight", async () => {
    const [busy, idle] = [await addWorkspaceOf(), await addWorkspaceOf()];
    await queue(busy, 10);
    await take({ wanted: 1 });
    expect(await take({ isOnlyNew: true })).toEqual([]);
    await queue(idle, 1);
    expect(await take({ isOnlyNew: true })).toHaveLength(1);
    expect(await held(busy)).toBe(1);
  });
});

describe("within a workspace", () => {
  test("resumed runs come before new ones, and each in the order they were queued", async () => {
    const id = await addWorkspaceOf();
    await queue(id, 2);
    await queue(id, 1, { priority: -10 });
    const { rows } = await db().query<{ run_id: string }>(
      "select run_id from run_queue order by priority, run_at, run_id",
    );
    const order: string[] = [];
    for (let index = 0; index < 3; index += 1) for (const run of await take({ wanted: 1 })) order.push(run.runId);
    expect(order[0]).toBe(rows[0]?.run_id);
    expect(order.toSorted()).toEqual(rows.map((row) => row.run_id).toSorted());
  });

  test("10,000 delays that end at the same moment pass the same door", async () => {
    const [sleepers, other] = [await addWorkspaceOf(), await addWorkspaceOf()];
    await queue(sleepers, 10_000, { inSeconds: 600 });
    expect(await admitRuns(db(), request({ wanted: 10 }))).toMatchObject({ runs: [], hasMore: false });
    await db().query("update run_queue set run_at = now()");
    await queue(other, 5);
    await take();
    expect(await held(other)).toBe(5);
    expect(await held(sleepers)).toBeLessThan(40);
    const { rows } = await db().query("select count(*)::int as n from run_queue where workspace_id = $1", [sleepers]);
    expect(rows).toEqual([{ n: 10_000 }]);
  });

  test("the next later run is announced with the time until it is due", async () => {
    const id = await addWorkspaceOf();
    await queue(id, 1, { inSeconds: 600 });
    await queue(id, 1, { inSeconds: 60 });
    const { nextInMs } = await admitRuns(db(), request());
    expect(nextInMs).toBeGreaterThan(50_000);
    expect(nextInMs).toBeLessThanOrEqual(60_000);
  });
});

describe("a queued run", () => {
  test("is taken by one of many workers that ask at the same moment, and together they stay within the slots", async () => {
    await addWorkspaceOf();
    const id = await addWorkspaceOf();
    await queue(id, 500);
    const taken = await Promise.all(
      Array.from({ length: 8 }, (_, index) => admitRuns(db(), request({ poolId: `pool-${index}`, wanted: 10 }))),
    );
    const ids = taken.flatMap(({ runs }) => runs.map((run) => run.runId));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(30);
  });

  test("that is suspect and became due is found by the quarantine worker itself, while no other worker asks", async () => {
    await queue(await addWorkspaceOf(), 2, { inSeconds: 600 });
    await db().query("update run_queue set is_suspect = true");
    expect((await admitSuspectRun(db(), request())).runs).toEqual([]);
    await db().query("update run_queue set run_at = now() where run_id = (select run_id from run_queue limit 1)");
    expect((await admitSuspectRun(db(), request())).runs).toHaveLength(1);
    expect((await admitSuspectRun(db(), request())).runs).toEqual([]);
    const { rows } = await db().query("select is_later from run_queue where ticket is not null");
    expect(rows).toEqual([{ is_later: false }]);
  });

  test("that is suspect is not taken by a quarantine worker without room", async () => {
    await queue(await addWorkspaceOf(), 1);
    await db().query("update run_queue set is_suspect = true");
    expect(await admitSuspectRun(db(), request({ wanted: 0 }))).toMatchObject({ runs: [], hasMore: true });
    expect((await admitSuspectRun(db(), request({ wanted: 1 }))).runs).toHaveLength(1);
  });

  test("that is being changed by another transaction is left to a later request, not waited for", async () => {
    await addWorkspaceOf();
    const id = await addWorkspaceOf();
    await queue(id, 2);
    const client = await db().connect();
    try {
      await client.query("begin");
      await client.query("select 1 from run_queue order by run_at, run_id limit 1 for update");
      expect(await take()).toHaveLength(1);
    } finally {
      await client.query("rollback");
      client.release();
    }
    expect(await take()).toHaveLength(1);
  });

  test("that another transaction wanted to change, and then did not, is taken", async () => {
    const id = await addWorkspaceOf();
    await queue(id, 3);
    const client = await db().connect();
    try {
      await client.query("begin");
      await client.query("delete from run_queue");
      await client.query("rollback");
    } finally {
      client.release();
    }
    expect(await take()).toHaveLength(3);
  });

  test("is not given to a worker that was declared dead", async () => {
    await queue(await addWorkspaceOf(), 1);
    const poolId = await addWorker();
    await declareDead([poolId]);
    expect(await take({ poolId })).toEqual([]);
    expect(await take()).toHaveLength(1);
  });

  test("that its worker took at the moment of its death is free again when the death is declared", async () => {
    await queue(await addWorkspaceOf(), 1);
    const poolId = await addWorker();
    const client = await db().connect();
    try {
      await client.query("begin");
      expect((await admitRuns(client, request({ poolId }))).runs).toHaveLength(1);
      const declaring = declareDead([poolId]);
      await eventually(async () => expect(await countAdvisoryWaits()).toBe(1));
      await client.query("commit");
      await declaring;
    } finally {
      client.release();
    }
    expect(await take()).toHaveLength(1);
  });

  test("that was queued again meanwhile is neither dropped nor returned by the worker that had it before", async () => {
    await queue(await addWorkspaceOf(), 1);
    const [before] = await take();
    if (!before) return expect.fail("nothing was taken");
    await giveRunBack(db(), before, "here", false);
    const [after] = await take();
    await dropAdmitted(db(), before, "here");
    await giveRunBack(db(), before, "here", true);
    const { rows } = await db().query("select run_id, ticket, is_later from run_queue");
    expect(rows).toEqual([{ run_id: before.runId, ticket: after?.ticket, is_later: false }]);
  });

  test("that is returned after a failure waits longer with each attempt, and at once otherwise", async () => {
    await queue(await addWorkspaceOf(), 1);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const [run] = await take();
      if (run) await giveRunBack(db(), run, "here", true);
      const { rows } = await db().query(
        "select extract(epoch from run_at - clock_timestamp())::float8 as s from run_queue",
      );
      waits.push(Math.ceil(rows[0].s));
      await db().query("update run_queue set run_at = now()");
    }
    expect(waits).toEqual([2, 4, 8]);
    const [run] = await take();
    if (run) await giveRunBack(db(), run, "here", false);
    expect(await take()).toHaveLength(1);
  });
});
