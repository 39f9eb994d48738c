import { describe, expect, it } from "vitest";
import { LeaseLost } from "#lib/core/engine/lease-lost";
import { EMPTY_BATCH } from "#lib/domain/journal/append-events";
import {
  addWorker,
  append,
  claimed,
  completed,
  readRun,
  SUCCEEDED,
  takeQueued,
} from "#lib/domain/runs/execute/held-lease.fixture";
import { finishRun, openRun } from "#lib/domain/runs/execute/lease.fixture";
import { releaseRun } from "#lib/domain/runs/execute/release-run";
import { edges, node, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { declareDead } from "#lib/domain/runs/recover/declare-dead";
import { reconcileRuns } from "#lib/domain/runs/recover/reconcile-runs";
import { sweepWorkers } from "#lib/domain/runs/recover/sweep-workers";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const nodes = [node("in", "action_input", { properties: [] }), node("out", "return_output", { properties: [] })];
const workflow = await seedWorkflow(db(), { nodes, edges: edges("in>out") });

describe("the sweeper", () => {
  it("finds workers that are silent for more than five seconds, and no others", async () => {
    const silent = await addWorker({ silentSeconds: 6 });
    // Its heartbeat is ahead: however slow the steps below are, it is not silent.
    const alive = await addWorker({ silentSeconds: -60 });
    const [lost, kept] = [await seedRun(db(), workflow), await seedRun(db(), workflow)];
    await claimed(lost, silent);
    await claimed(kept, alive);
    expect((await sweepWorkers(false)).dead).toBeNull();
    const { dead } = await sweepWorkers(true);
    expect(dead?.resumed.map((run) => run.id)).toEqual([lost]);
    expect(await readRun(kept)).toMatchObject({ lease_owner: alive });
    expect((await sweepWorkers(true)).dead).toBeNull();
  });

  it("asks for a quarantine worker while a suspect run is due and none is alive", async () => {
    const runId = await seedRun(db(), workflow);
    const asks = async () => (await sweepWorkers(false)).needsQuarantine;
    expect(await asks()).toBe(false);
    const queue = (set: string) => db().query(`update run_queue set ${set} where run_id = $1`, [runId]);
    await queue("is_suspect = true");
    expect(await asks()).toBe(true);
    const poolId = await addWorker({ isQuarantine: true });
    expect(await asks()).toBe(false);
    await declareDead([poolId]);
    // It waits for the end of a delay, and is then due.
    await queue("is_later = true, run_at = now() + interval '30 days'");
    expect(await asks()).toBe(false);
    await queue("run_at = now()");
    expect(await asks()).toBe(true);
    await db().query("update runs set status = 'cancelled', completed_at = now() where id = $1", [runId]);
    await db().query("delete from run_queue where run_id = $1", [runId]);
  });
});

describe("the reconciler", () => {
  const age = (runId: string) =>
    db().query("update runs set created_at = now() - interval '20 seconds' where id = $1", [runId]);

  it("queues runs without a worker that are not in the queue, and leaves the others alone", async () => {
    const orphan = await seedRun(db(), workflow, { isQueued: false });
    const young = await seedRun(db(), workflow, { isQueued: false });
    const queued = await seedRun(db(), workflow);
    await Promise.all([orphan, queued].map(age));
    await reconcileRuns();
    expect(await readRun(orphan)).toMatchObject({ status: "accepted", queued: "run" });
    expect(await readRun(young)).toMatchObject({ queued: null });
    expect(await readRun(queued)).toMatchObject({ queued: "run", priority: 0 });
  });

  it("queues a run again if the answer that gave it to a live worker never arrived", async () => {
    const poolId = await addWorker();
    const [forgotten, fresh, executed] = await Promise.all([1, 2, 3].map(() => seedRun(db(), workflow)));
    if (!forgotten || !fresh || !executed) throw new Error("no runs");
    await claimed(executed, poolId);
    for (const runId of [forgotten, fresh, executed]) {
      await age(runId);
      await takeQueued(runId, poolId);
    }
    await db().query("update run_queue set taken_at = now() - interval '31 seconds' where run_id in ($1, $2)", [
      forgotten,
      executed,
    ]);
    await reconcileRuns();
    expect(await readRun(forgotten)).toMatchObject({ queued: "run", taken_by: null, priority: -10 });
    expect(await readRun(fresh)).toMatchObject({ taken_by: poolId });
    expect(await readRun(executed)).toMatchObject({ taken_by: poolId, lease_owner: poolId });
  });

  it("releases the runs that a worker took after it was declared dead", async () => {
    const poolId = await addWorker();
    await declareDead([poolId]);
    const runId = await seedRun(db(), workflow);
    await takeQueued(runId, poolId);
    await reconcileRuns();
    expect(await readRun(runId)).toMatchObject({ status: "accepted", taken_by: null });
  });

  it("frees the runs of a worker that signed off and still had their leases", async () => {
    const poolId = await addWorker();
    const runId = await seedRun(db(), workflow);
    await claimed(runId, poolId);
    await db().query("update worker_heartbeats set dead_at = now() where pool_id = $1", [poolId]);
    await sweepWorkers(true);
    expect(await readRun(runId)).toMatchObject({ lease_owner: poolId });
    expect((await reconcileRuns())?.dead?.resumed).toMatchObject([{ id: runId }]);
    expect(await readRun(runId)).toMatchObject({ status: "running", lease_owner: null, queued: "run", priority: -10 });
  });

  it("ends a run that is held far beyond its time limit", async () => {
    const runId = await seedRun(db(), workflow);
    const lease = await claimed(runId, await addWorker());
    await db().query("update runs set claimed_at = now() - interval '361 seconds' where id = $1", [runId]);
    await reconcileRuns();
    expect(await readRun(runId)).toMatchObject({ status: "timed_out", error: { code: "TIMEOUT" } });
    await expect(finishRun(db(), lease, { ...SUCCEEDED, batch: EMPTY_BATCH })).rejects.toBeInstanceOf(LeaseLost);
  });

  it("ends with it what it left open, and lets the run that waits for it continue", async () => {
    const poolId = await addWorker();
    const parent = await seedRun(db(), workflow, { isQueued: false });
    const overdue = await seedRun(db(), workflow);
    const child = await seedRun(db(), workflow);
    await claimed(overdue, poolId);
    const link = "update runs set parent_run_id = $2, parent_step = 'sub:', depth = $3 where id = $1";
    await db().query(link, [overdue, parent, 1]);
    await db().query(link, [child, overdue, 2]);
    await db().query("update runs set status = 'running', lease_token = 1 where id = $1", [parent]);
    await db().query("update runs set claimed_at = now() - interval '361 seconds' where id = $1", [overdue]);
    const done = await reconcileRuns();
    expect(done?.timedOut.map((run) => run.id).sort()).toEqual([overdue, child].sort());
    expect(await readRun(child)).toMatchObject({ status: "cancelled", queued: null });
    expect(await readRun(parent)).toMatchObject({ status: "running", queued: "run" });
  });
});

describe("releasing a run", () => {
  it("queues the run again and spends its token", async () => {
    const runId = await seedRun(db(), workflow);
    const lease = await claimed(runId, await addWorker());
    await releaseRun(lease);
    expect(await readRun(runId)).toMatchObject({ status: "running", lease_owner: null, priority: -10 });
    await expect(append(lease, completed("in"))).rejects.toBeInstanceOf(LeaseLost);
    expect((await openRun(db(), runId))?.hasJournal).toBe(true);
  });
});
