import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { LeaseLost } from "#lib/core/engine/lease-lost";
import { addAction } from "#lib/domain/actions/action.fixture";
import { EMPTY_BATCH, type JournalBatch, type Lease } from "#lib/domain/journal/append-events";
import { callAction, jobsOf, runRequest } from "#lib/domain/runs/create/call-action.fixture";
import { createRun } from "#lib/domain/runs/create/create-runs";
import { cancelRun } from "#lib/domain/runs/decide/cancel-run";
import { SUCCEEDED, takeQueued } from "#lib/domain/runs/execute/held-lease.fixture";
import { ANN, gatedAction, outcomeOf } from "#lib/domain/runs/execute/held-run.fixture";
import { claimRun, finishRun, openRun } from "#lib/domain/runs/execute/lease.fixture";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { raceBehindLock, workInGroups } from "#lib/platform/db/test-race";

process.env.RUNS_PER_USER_PER_HOUR = "0";

await openTestDatabase();

const workspace = await addWorkspace();
const action = await addAction(workspace);
const poolId = `pool-${randomUUID()}`;
await db().query("insert into worker_heartbeats (pool_id, host, pid) values ($1, 'test', 1)", [poolId]);

const RUNS = 100;
const STEP: JournalBatch = {
  ...EMPTY_BATCH,
  events: JSON.stringify([{ node_id: "greet", iteration: "", kind: "step_completed", attempt: 1, age_ms: 0 }]),
};
const ENDED = { ...SUCCEEDED, batch: STEP };

const referenceOf = (runId: string): RunReference => ({ workspaceId: workspace.workspaceId, runId, actionSlugs: null });
const makeRun = async () => (await callAction({ workspace, action })).run.run_id;
const makeRuns = () => workInGroups(Array.from({ length: RUNS }), makeRun);
const cancel = (runId: string) => cancelRun(referenceOf(runId), ANN);

async function opened(runId: string): Promise<Lease> {
  const run = await openRun(db(), runId);
  if (!run) throw new Error("the run is stale");
  return run.lease;
}
async function claimed(runId: string): Promise<Lease> {
  const lease = await opened(runId);
  await claimRun(db(), lease, { poolId, usedMs: 0, batch: EMPTY_BATCH, isRepeat: false });
  return lease;
}
const isDone = (work: Promise<unknown>) =>
  work.then(
    () => true,
    (error: unknown) => {
      expect(error).toBeInstanceOf(LeaseLost);
      return false;
    },
  );

async function countEvents(runId: string): Promise<number> {
  const { rows } = await db().query("select count(*)::int as n from journal_events($1)", [runId]);
  return rows[0].n;
}

describe("against a worker", () => {
  test(`${RUNS} cancels while the run is claimed: it always ends cancelled, and the worker writes nothing more`, async () => {
    const runIds = await makeRuns();
    const seen = await workInGroups(runIds, async (runId) => {
      const lease = await opened(runId);
      const claim = claimRun(db(), lease, { poolId, usedMs: 0, batch: STEP, isRepeat: false });
      const [isClaimed, { wasRunning }] = await Promise.all([isDone(claim), cancel(runId)]);
      // 202 exactly if the worker had it.
      expect(wasRunning).toBe(isClaimed);
      expect(await countEvents(runId)).toBe(isClaimed ? 1 : 0);
      return isDone(finishRun(db(), lease, ENDED));
    });
    expect(seen).toEqual(runIds.map(() => false));
    for (const runId of runIds) expect(await outcomeOf(runId)).toMatchObject({ status: "cancelled", jobs: 0 });
  });

  test(`${RUNS} cancels while the run ends: one outcome, and both sides report it`, async () => {
    const leases = await workInGroups(await makeRuns(), claimed);
    await workInGroups(leases, async (lease) => {
      const [isFinished, { run }] = await Promise.all([isDone(finishRun(db(), lease, ENDED)), cancel(lease.runId)]);
      const status = isFinished ? "succeeded" : "cancelled";
      expect(run.status).toBe(status);
      expect(await outcomeOf(lease.runId)).toMatchObject({ status });
      expect(await countEvents(lease.runId)).toBe(isFinished ? 1 : 0);
    });
  });

  test("a run of pure steps that is open but not claimed ends cancelled: its one write comes too late", async () => {
    const runId = await makeRun();
    const lease = await opened(runId);
    expect((await cancel(runId)).wasRunning).toBe(false);
    await expect(finishRun(db(), lease, ENDED)).rejects.toBeInstanceOf(LeaseLost);
    expect(await openRun(db(), runId)).toBeNull();
    expect(await countEvents(runId)).toBe(0);
  });

  test("many cancels at once: one writes, all answer cancelled", async () => {
    const runId = await makeRun();
    const lock = { text: "select 1 from runs where id = $1 for update", values: [runId] };
    const results = await raceBehindLock(
      lock,
      Array.from({ length: 5 }, () => () => cancel(runId)),
    );
    for (const result of results) {
      expect(result).toMatchObject({ status: "fulfilled", value: { run: { status: "cancelled" } } });
    }
    const { rows } = await db().query("select count(*)::int as n from audit_events where object_id = $1", [runId]);
    expect(rows[0].n).toBe(1);
  });

  test("running time up to the cancel is counted", async () => {
    const { runId } = await claimed(await makeRun());
    await db().query("update runs set claimed_at = now() - interval '7 seconds' where id = $1", [runId]);
    await cancel(runId);
    const { rows } = await db().query("select running_ms from runs where id = $1", [runId]);
    expect(rows[0].running_ms).toBeGreaterThanOrEqual(7_000);
  });
});

describe("sub-runs", () => {
  let children = 0;
  /** Each belongs to a step of its own: a step has one sub-run. */
  async function makeChild(parentId: string, depth: number): Promise<string> {
    children += 1;
    const parent = { runId: parentId, step: `sub:${children}`, depth };
    return (await createRun(await runRequest({ workspace, action }, { parent }))).run_id;
  }

  test("are cancelled with their parent, at every depth and in every state, except those that have ended", async () => {
    const root = await makeRun();
    const running = await makeChild(root, 1);
    const grandchild = await makeChild(running, 2);
    const ended = await makeChild(root, 1);
    const belowEnded = await makeChild(ended, 2);
    const other = await makeRun();
    await claimed(root);
    await claimed(running);
    await finishRun(db(), await claimed(ended), ENDED);
    await cancel(root);
    for (const runId of [root, running, grandchild, belowEnded]) {
      expect(await outcomeOf(runId)).toMatchObject({ status: "cancelled", jobs: 0 });
    }
    expect(await outcomeOf(ended)).toMatchObject({ status: "succeeded" });
    expect(await outcomeOf(other)).toMatchObject({ status: "accepted", jobs: 1 });
  });

  test("leave their parent and their siblings alone when they are cancelled themselves", async () => {
    const root = await makeRun();
    const [one, two] = [await makeChild(root, 1), await makeChild(root, 1)];
    await cancel(one);
    expect(await outcomeOf(root)).toMatchObject({ status: "accepted", jobs: 1 });
    expect(await outcomeOf(two)).toMatchObject({ status: "accepted", jobs: 1 });
  });

  test("overlapping trees are cancelled at the same moment without a deadlock", async () => {
    for (let round = 0; round < 20; round += 1) {
      const root = await makeRun();
      const child = await makeChild(root, 1);
      const leaf = await makeChild(child, 2);
      await Promise.all([leaf, child, root, child, leaf].map(cancel));
      for (const runId of [root, child, leaf]) expect((await outcomeOf(runId))?.status).toBe("cancelled");
    }
  });
});

test("a run that waits at gates closes them all", async () => {
  const { reference } = await (await gatedAction(workspace))();
  const { run, wasRunning } = await cancelRun(reference, ANN);
  expect(wasRunning).toBe(false);
  expect(run).toMatchObject({ status: "cancelled", error: null, approval: { status: "cancelled" } });
  expect(await outcomeOf(reference.runId)).toMatchObject({ approval: "cancelled,cancelled", jobs: 0 });
});

test("a run that a worker has taken and not claimed leaves the queue", async () => {
  const runId = await makeRun();
  await takeQueued(runId, poolId);
  await cancel(runId);
  expect(await jobsOf(runId)).toEqual([]);
});
