import { describe, expect, it } from "vitest";
import type { ApprovalPolicy } from "#lib/contract/action/action";
import { addKey, TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { revokeKey } from "#lib/domain/keys/revoke-key";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { db } from "#lib/platform/db/pool";
import { between, useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

const stage = useRunStage();

/** in > call > out, where `call` POSTs to `/<name>`. */
async function makeRun(
  name: string,
  approvalPolicy: ApprovalPolicy = "never",
  caller: { apiKeyId?: string } = {},
): Promise<RunReference> {
  const definition = between([{ ...stage.call(name), id: "call" }], "in>call>out");
  return stage.runAction(await stage.addAction({ definition, approvalPolicy }), caller);
}

async function readRun({ runId }: RunReference) {
  const { rows } = await db().query(
    `select r.status, r.error ->> 'code' as error, r.lease_owner, r.lease_token,
       (select count(*)::int from journal_events(r.id)) as events,
       (select count(*)::int from run_queue q where q.run_id = r.id) as jobs
     from runs r where r.id = $1`,
    [runId],
  );
  return rows[0];
}

/** Waits until the worker holds no run. */
function idle() {
  return until("the worker to be idle", async () => {
    const text = "select count(*)::int as n from run_queue where taken_by = $1";
    const { rows } = await db().query(text, [stage.worker.poolId]);
    return rows[0].n === 0;
  });
}

async function readHeartbeat(): Promise<string> {
  const text = "select last_seen_at::text as at from worker_heartbeats where pool_id = $1";
  return (await db().query(text, [stage.worker.poolId])).rows[0].at;
}

describe("a run that is cancelled while its step waits for an answer (decisions, Runs: cancel)", () => {
  it("aborts the call and writes nothing afterward", async () => {
    stage.server.hold("/slow");
    const run = await makeRun("slow");
    const call = await stage.called("/slow");
    const { wasRunning } = await stage.cancel(run);
    const after = await readRun(run);
    expect([wasRunning, after]).toEqual([
      true,
      expect.objectContaining({ status: "cancelled", jobs: 0, lease_owner: null }),
    ]);
    await until("the caller to hang up", () => call.isDropped);
    // A late answer has no effect.
    stage.server.release("/slow");
    await idle();
    expect(await readRun(run)).toEqual(after);
    expect(stage.server.of("/slow")).toHaveLength(1);
  });

  it("aborts the call without waiting for a heartbeat", async () => {
    // One event may arrive at that time by chance, but not in every round.
    for (let round = 1; ; round += 1) {
      const path = `/prompt-${round}`;
      stage.server.hold(path);
      const run = await makeRun(path.slice(1));
      const call = await stage.called(path);
      const before = await readHeartbeat();
      await stage.cancel(run);
      await until("the caller to hang up", () => call.isDropped);
      if ((await readHeartbeat()) === before) return;
      expect(round).toBeLessThan(10);
    }
  });

  it("aborts the call within a heartbeat if the notice is lost", async () => {
    stage.server.hold("/silent");
    const run = await makeRun("silent");
    const call = await stage.called("/silent");
    // Writes the same as cancelRun, without its notice.
    await db().query(
      `update runs set status = 'cancelled', completed_at = now(), lease_owner = null, lease_token = lease_token + 1
       where id = $1`,
      [run.runId],
    );
    const after = await readRun(run);
    await until("the caller to hang up", () => call.isDropped);
    stage.server.release("/silent");
    await idle();
    expect(await readRun(run)).toEqual({ ...after, jobs: 0 });
  });

  it("does not affect other runs: a notice about a run that continues has no effect", async () => {
    stage.server.hold("/other");
    const run = await makeRun("other");
    const call = await stage.called("/other");
    await db().query("select pg_notify('run_cancelled', $1), pg_notify('run_cancelled', 'nonsense')", [
      "01900000-0000-7000-8000-000000000000",
    ]);
    const cancelled = await makeRun("other-2");
    await stage.cancel(cancelled);
    stage.server.release("/other");
    await until("the end", async () => (await readRun(run)).status === "succeeded");
    expect(call.isDropped).toBe(false);
  });
});

describe("a run that waits for approval", () => {
  it("is executed after it is approved, and not before", async () => {
    const run = await makeRun("approved", "always");
    await idle();
    expect(stage.server.of("/approved")).toEqual([]);
    await stage.decide(run);
    await until("the end", async () => (await readRun(run)).status === "succeeded");
    expect(stage.server.of("/approved")).toHaveLength(1);
  });

  it("is timed out by the worker if no one decides in time", async () => {
    const run = await makeRun("late", "always");
    await db().query("update approvals set expires_at = now() - interval '1 ms' where run_id = $1", [run.runId]);
    await until("the end", async () => (await readRun(run)).status === "timed_out");
    expect(await readRun(run)).toMatchObject({ error: "APPROVAL_EXPIRED", jobs: 0, events: 0 });
    expect(stage.server.of("/late")).toEqual([]);
  });
});

it("a run that a key started continues to its end after the key is revoked", async () => {
  const { workspace } = stage;
  const { key_id: keyId } = await addKey(workspace);
  stage.server.hold("/key");
  const run = await makeRun("key", "never", { apiKeyId: keyId });
  await stage.called("/key");
  await revokeKey({ ...workspace, keyId, actor: TEST_ACTOR });
  stage.server.release("/key");
  await until("the end", async () => (await readRun(run)).status === "succeeded");
});
