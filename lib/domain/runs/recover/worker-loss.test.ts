import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { LeaseLost } from "#lib/core/engine/lease-lost";
import { EMPTY_BATCH, type Lease } from "#lib/domain/journal/append-events";
import {
  addWorker,
  append,
  claimed,
  completed,
  readRun,
  SUCCEEDED,
  takeQueued,
} from "#lib/domain/runs/execute/held-lease.fixture";
import { claimRun, finishRun, openRun } from "#lib/domain/runs/execute/lease.fixture";
import { releaseRun } from "#lib/domain/runs/execute/release-run";
import { edges, node, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { declareDead } from "#lib/domain/runs/recover/declare-dead";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const nodes = [node("in", "action_input", { properties: [] }), node("out", "return_output", { properties: [] })];
const workflow = await seedWorkflow(db(), { nodes, edges: edges("in>out") });

describe("claiming (contract, Run: accepted to running)", () => {
  it("gives a run to only one of many workers that open it at the same time", async () => {
    const runId = await seedRun(db(), workflow);
    const pools = await Promise.all(Array.from({ length: 8 }, () => addWorker()));
    const opened = await Promise.all(pools.map((poolId) => openRun(db(), runId, poolId)));
    const results = await Promise.allSettled(
      pools.map((poolId, index) => {
        const lease = opened[index]?.lease;
        if (!lease) throw new Error("stale");
        return claimRun(db(), lease, { poolId, usedMs: 0, batch: completed("in"), isRepeat: false });
      }),
    );
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    expect(await readRun(runId)).toMatchObject({ status: "running", events: 1 });
  });

  it("refuses a worker that was declared dead", async () => {
    const runId = await seedRun(db(), workflow);
    const poolId = await addWorker();
    await declareDead([poolId]);
    await expect(claimed(runId, poolId)).rejects.toBeInstanceOf(LeaseLost);
    expect(await readRun(runId)).toMatchObject({ status: "accepted", lease_owner: null });
  });

  it("can be repeated if the answer was lost, and writes nothing twice", async () => {
    const runId = await seedRun(db(), workflow);
    const poolId = await addWorker();
    const lease = await claimed(runId, poolId, completed("in"));
    const forgotten: Lease = { runId, token: lease.token - 1, isClaimed: false };
    await claimRun(db(), forgotten, { poolId, usedMs: 0, batch: completed("in"), isRepeat: true });
    expect(forgotten).toEqual(lease);
    expect((await readRun(runId)).events).toBe(1);
  });

  it("treats the job of a run that ended, waits or no longer exists as stale", async () => {
    const runId = await seedRun(db(), workflow);
    await db().query("update runs set status = 'waiting_for_approval' where id = $1", [runId]);
    expect(await openRun(db(), runId)).toBeNull();
    await db().query("update runs set status = 'cancelled', completed_at = now() where id = $1", [runId]);
    expect(await openRun(db(), runId)).toBeNull();
    expect(await openRun(db(), randomUUID())).toBeNull();
  });
});

describe("fencing (reliability: what a worker without its lease can write)", () => {
  it("a worker that lost its lease can write neither journal nor end", async () => {
    const runId = await seedRun(db(), workflow);
    const zombie = await addWorker();
    const lease = await claimed(runId, zombie, completed("in"));
    await declareDead([zombie]);
    const before = await readRun(runId);
    await expect(append(lease, completed("out"))).rejects.toBeInstanceOf(LeaseLost);
    await expect(finishRun(db(), lease, { ...SUCCEEDED, batch: completed("out") })).rejects.toBeInstanceOf(LeaseLost);
    await expect(releaseRun(lease)).rejects.toBeInstanceOf(LeaseLost);
    expect(await readRun(runId)).toEqual(before);
  });

  it("after a cancel nothing more is written", async () => {
    const runId = await seedRun(db(), workflow);
    const lease = await claimed(runId, await addWorker());
    await db().query("update runs set status = 'cancelled', completed_at = now() where id = $1", [runId]);
    await expect(append(lease, completed("in"))).rejects.toBeInstanceOf(LeaseLost);
    expect(await readRun(runId)).toMatchObject({ status: "cancelled", events: 0 });
  });

  it("two workers that only opened a run end it once", async () => {
    const runId = await seedRun(db(), workflow);
    const opened = [await openRun(db(), runId), await openRun(db(), runId)];
    const results = await Promise.allSettled(
      opened.map((run) => {
        if (!run) throw new Error("stale");
        return finishRun(db(), run.lease, { ...SUCCEEDED, batch: completed("in", "out") });
      }),
    );
    expect(results.map((result) => result.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await readRun(runId)).toMatchObject({ status: "succeeded", events: 2 });
  });
});

describe("a dead worker (decisions, Runs: worker loss)", () => {
  it("loses its job locks and its runs, which continue ahead of the backlog", async () => {
    const poolId = await addWorker();
    const runId = await seedRun(db(), workflow);
    await takeQueued(runId, poolId);
    await claimed(runId, poolId, completed("in"));
    const { resumed, failed } = await declareDead([poolId]);
    expect(resumed).toMatchObject([{ id: runId, workspaceId: workflow.workspaceId, stalled: 1 }]);
    expect(failed).toEqual([]);
    expect(await readRun(runId)).toMatchObject({
      status: "running",
      lease_owner: null,
      queued: "run",
      priority: -10,
      taken_by: null,
    });
  });

  it("also loses the runs it had only opened", async () => {
    const poolId = await addWorker();
    const runId = await seedRun(db(), workflow);
    await takeQueued(runId, poolId);
    const run = await openRun(db(), runId, poolId);
    expect((await declareDead([poolId])).resumed).toHaveLength(1);
    if (!run) throw new Error("stale");
    await expect(finishRun(db(), run.lease, { ...SUCCEEDED, batch: EMPTY_BATCH })).rejects.toBeInstanceOf(LeaseLost);
    expect(await readRun(runId)).toMatchObject({ status: "accepted", stalled: 1, priority: -10, taken_by: null });
  });

  it("is no fault of a run that it had only taken and never opened, however often", async () => {
    const runId = await seedRun(db(), workflow);
    for (let loss = 0; loss < 4; loss += 1) {
      const poolId = await addWorker();
      await takeQueued(runId, poolId);
      expect((await declareDead([poolId])).resumed).toMatchObject([{ id: runId, stalled: 0 }]);
      expect(await readRun(runId)).toMatchObject({ status: "accepted", stalled: 0, queued: "run", taken_by: null });
    }
    // An earlier worker opened it, but not the one that died.
    const opener = await addWorker();
    await takeQueued(runId, opener);
    await openRun(db(), runId, opener);
    await declareDead([opener]);
    const taker = await addWorker();
    await takeQueued(runId, taker);
    await declareDead([taker]);
    expect(await readRun(runId)).toMatchObject({ status: "accepted", stalled: 1 });
  });

  it("sends a run without progress to quarantine at the second loss and fails it at the third", async () => {
    const runId = await seedRun(db(), workflow);
    for (const expected of [
      { status: "running", stalled: 1, queued: "run" },
      { status: "running", stalled: 2, queued: "suspect" },
      {
        status: "failed",
        stalled: 3,
        queued: null,
        error: { code: "UNKNOWN", reason: "worker_lost", message: expect.stringMatching(/^worker lost/) },
      },
    ]) {
      const poolId = await addWorker();
      await claimed(runId, poolId);
      await declareDead([poolId]);
      expect(await readRun(runId)).toMatchObject(expected);
    }
  });

  it("is no fault of the run if PostgreSQL restarted meanwhile, even for a suspect run", async () => {
    const runId = await seedRun(db(), workflow);
    const loseOne = async () => {
      const poolId = await addWorker();
      await claimed(runId, poolId);
      return poolId;
    };
    for (let loss = 1; loss <= 2; loss += 1) await declareDead([await loseOne()]);
    const before = await loseOne();
    await db().query({
      text: "update runs set claimed_at = pg_postmaster_start_time() - interval '1 second' where id = $1",
      values: [runId],
    });
    await declareDead([before]);
    expect(await readRun(runId)).toMatchObject({ status: "running", stalled: 2, queued: "suspect" });
    await declareDead([await loseOne()]);
    expect(await readRun(runId)).toMatchObject({ status: "failed", stalled: 3 });
  });

  it("progress between two losses resets the count", async () => {
    const runId = await seedRun(db(), workflow);
    for (const [index, nodeId] of ["a", "b", "c", "d"].entries()) {
      const poolId = await addWorker();
      await claimed(runId, poolId, completed(nodeId));
      await declareDead([poolId]);
      expect(await readRun(runId), `loss ${index}`).toMatchObject({ status: "running", stalled: 1 });
    }
  });

  it("declaring it dead again changes nothing", async () => {
    const poolId = await addWorker();
    const runId = await seedRun(db(), workflow);
    await claimed(runId, poolId);
    await declareDead([poolId]);
    const before = await readRun(runId);
    expect(await declareDead([poolId])).toEqual({ resumed: [], failed: [], cancelled: [] });
    expect(await readRun(runId)).toEqual(before);
  });

  it("a run that ends while its worker is declared dead ends once, and stays ended", async () => {
    for (let round = 0; round < 20; round += 1) {
      const poolId = await addWorker();
      const runId = await seedRun(db(), workflow);
      const lease = await claimed(runId, poolId);
      const [finish] = await Promise.allSettled([
        finishRun(db(), lease, { ...SUCCEEDED, batch: completed("out") }),
        declareDead([poolId]),
      ]);
      const { status, lease_owner } = await readRun(runId);
      expect({ status, lease_owner }).toEqual({
        status: finish.status === "fulfilled" ? "succeeded" : "running",
        lease_owner: null,
      });
    }
  });
});
