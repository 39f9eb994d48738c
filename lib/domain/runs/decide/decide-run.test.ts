import { describe, expect, test } from "vitest";
import { toApiError } from "#lib/api/admission/error-response";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import { jobsOf } from "#lib/domain/runs/create/call-action.fixture";
import { cancelRun } from "#lib/domain/runs/decide/cancel-run";
import { decideRun } from "#lib/domain/runs/decide/decide-run";
import { expireApprovals } from "#lib/domain/runs/decide/expire-approvals";
import { ANN, decisionOf, gatedAction, holdingAction, outcomeOf } from "#lib/domain/runs/execute/held-run.fixture";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { exhaustPool } from "#lib/platform/db/test-pool";
import { raceBehindLock, workInGroups } from "#lib/platform/db/test-race";

process.env.RUNS_PER_USER_PER_HOUR = "0";

await openTestDatabase();

const workspace = await addWorkspace();
const hold = await holdingAction(workspace);
const gate = await gatedAction(workspace);

const PAIRS = 200;
const WAITING = { status: "waiting_for_approval", error: null, approval: "pending", jobs: 0 };
const APPROVED = { status: "accepted", error: null, approval: "approved", jobs: 1 };
const REJECTED = { status: "cancelled", error: "APPROVAL_REJECTED", approval: "rejected", jobs: 0 };
const EXPIRED = { status: "timed_out", error: "APPROVAL_EXPIRED", approval: "expired", jobs: 0 };
const CANCELLED = { status: "cancelled", error: null, approval: "cancelled", jobs: 0 };

const approve = (run: RunReference) => decideRun(decisionOf(run));
const reject = (run: RunReference) => decideRun(decisionOf(run, { decision: "rejected" }));
/** Returns what the caller reads: the run's status, or the code of the API's error. */
const told = (promise: Promise<{ status: string }>): Promise<string> =>
  promise.then(
    (run) => run.status,
    (error: unknown) => toApiError(error, "test").code,
  );

/**
 * Passes each run to two calls at the same moment.
 * @returns what the two callers read, per run
 */
function raceInPairs(
  runs: RunReference[],
  one: (run: RunReference) => Promise<{ status: string }>,
  other: (run: RunReference) => Promise<{ status: string }>,
): Promise<string[][]> {
  return workInGroups(runs, (run) => Promise.all([told(one(run)), told(other(run))]));
}

function holdMany(): Promise<RunReference[]> {
  return workInGroups(Array.from({ length: PAIRS }), hold);
}

function lockRow(runId: string) {
  return { text: "select 1 from runs where id = $1 for update", values: [runId] };
}

describe("one winner", () => {
  test(`${PAIRS} approvals at the moment of expiry: each is approved with a job, or times out without one, and the answer says which`, async () => {
    const runs = await holdMany();
    let isOver = false;
    const sweeper = (async () => {
      while (!isOver) await expireApprovals();
    })();
    const answers: string[] = [];
    const lanes = [0, 1, 2, 3].map(async (lane) => {
      for (let index = lane; index < PAIRS; index += 4) {
        const run = runs[index];
        if (!run) break;
        // Due 0 to 19 ms from now; the approval takes about as long.
        await db().query(
          "update approvals set expires_at = clock_timestamp() + $2 * interval '1 millisecond' where run_id = $1",
          [run.runId, index % 20],
        );
        answers[index] = await told(approve(run));
      }
    });
    await Promise.all(lanes);
    isOver = true;
    await sweeper;
    // No one approved after the answer that it expired, and nothing expired that was approved.
    for (const [index, run] of runs.entries()) {
      const outcome = await outcomeOf(run.runId);
      expect([
        { answer: "accepted", ...APPROVED },
        { answer: "APPROVAL_EXPIRED", ...EXPIRED },
      ]).toContainEqual({ answer: answers[index], ...outcome });
    }
  });

  test(`${PAIRS} double approvals: one job each, and both answers say that it is approved`, async () => {
    const runs = await holdMany();
    const answers = await raceInPairs(runs, approve, approve);
    for (const [index, run] of runs.entries()) {
      const outcome = await outcomeOf(run.runId);
      expect({ answers: answers[index], outcome }).toEqual({ answers: ["accepted", "accepted"], outcome: APPROVED });
    }
    const { rows } = await db().query(
      "select object_id from audit_events where action = 'run.approved' and object_id = any($1) order by object_id",
      [runs.map((run) => run.runId)],
    );
    expect(rows.map((row) => row.object_id)).toEqual(runs.map((run) => run.runId).toSorted());
  });

  test("a decision that gets no database connection answers 503, changes nothing, and can be sent again", async () => {
    const run = await hold();
    const release = await exhaustPool();
    const error = await approve(run).catch((thrown: unknown) => toApiError(thrown, "test"));
    release();
    expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE", reason: "database_overloaded", status: 503 });
    expect(await outcomeOf(run.runId)).toEqual(WAITING);
    expect(await told(approve(run))).toBe("accepted");
    expect(await outcomeOf(run.runId)).toEqual(APPROVED);
  });

  test(`${PAIRS} approvals against rejections: the loser's answer says who was first`, async () => {
    const runs = await holdMany();
    const answers = await raceInPairs(runs, approve, reject);
    for (const [index, run] of runs.entries()) {
      const outcome = await outcomeOf(run.runId);
      expect([
        { answers: ["accepted", "RUN_NOT_WAITING"], outcome: APPROVED },
        { answers: ["RUN_NOT_WAITING", "cancelled"], outcome: REJECTED },
      ]).toContainEqual({ answers: answers[index], outcome });
    }
  });

  test(`${PAIRS} approvals against cancels: a cancel always wins and never leaves a job`, async () => {
    const runs = await holdMany();
    const answers = await raceInPairs(runs, approve, async (run) => (await cancelRun(run, ANN)).run);
    for (const [index, run] of runs.entries()) {
      const outcome = await outcomeOf(run.runId);
      expect([
        { answers: ["accepted", "cancelled"], outcome: { ...CANCELLED, approval: "approved" } },
        { answers: ["RUN_NOT_WAITING", "cancelled"], outcome: CANCELLED },
      ]).toContainEqual({ answers: answers[index], outcome });
    }
  });

  test("of several decisions that wait for the same row, the first one counts", async () => {
    const run = await hold();
    const results = await raceBehindLock(lockRow(run.runId), [
      () => told(approve(run)),
      () => told(reject(run)),
      () => told(approve(run)),
      () => told(reject(run)),
    ]);
    const answers = results.map((result) => (result.status === "fulfilled" ? result.value : "")).sort();
    const outcome = await outcomeOf(run.runId);
    expect([
      { answers: ["RUN_NOT_WAITING", "RUN_NOT_WAITING", "accepted", "accepted"], ...APPROVED },
      { answers: ["RUN_NOT_WAITING", "RUN_NOT_WAITING", "cancelled", "cancelled"], ...REJECTED },
    ]).toContainEqual({ answers, ...outcome });
  });

  test("the sweeper skips a run whose row is locked, and takes it later", async () => {
    const run = await hold();
    await db().query("update approvals set expires_at = now() - interval '1 ms' where run_id = $1", [run.runId]);
    const holder = await db().connect();
    await holder.query("begin");
    await holder.query("select 1 from runs where id = $1 for update", [run.runId]);
    expect((await expireApprovals()).ended).toEqual([]);
    await holder.query("rollback");
    holder.release();
    expect((await expireApprovals()).ended).toEqual([{ id: run.runId, workspaceId: run.workspaceId }]);
    expect(await outcomeOf(run.runId)).toEqual(EXPIRED);
  });
});

describe("gates (decisions, Approvals)", () => {
  test("a decided gate lets its branch continue while the other still waits", async () => {
    const { reference, one, two } = await gate();
    const run = await decideRun(decisionOf(reference, { approvalId: one }));
    // The run shows what is still open.
    expect(run).toMatchObject({ status: "running", approval: { id: two, status: "pending", step_id: "two" } });
    expect(await outcomeOf(reference.runId)).toMatchObject({ approval: "approved,pending", jobs: 1 });
    expect(await jobsOf(reference.runId)).toMatchObject([{ is_suspect: false }]);
    const { rows } = await db().query("select lease_owner from runs where id = $1", [reference.runId]);
    expect(rows).toEqual([{ lease_owner: null }]);
  });

  test("a gate decided while another branch still executes is recorded, and the run stays with its worker", async () => {
    const { reference, one } = await gate("running");
    await db().query("update runs set lease_owner = 'pool-1', claimed_at = now() where id = $1", [reference.runId]);
    await decideRun(decisionOf(reference, { approvalId: one }));
    expect(await outcomeOf(reference.runId)).toMatchObject({
      status: "running",
      approval: "approved,pending",
      jobs: 0,
    });
    const { rows } = await db().query("select lease_owner, lease_token from runs where id = $1", [reference.runId]);
    expect(rows).toEqual([{ lease_owner: "pool-1", lease_token: 1 }]);
  });

  test("a rejection takes the rejected branch if one is connected", async () => {
    const { reference, one } = await gate();
    const run = await decideRun(decisionOf(reference, { approvalId: one, decision: "rejected" }));
    expect(run).toMatchObject({ status: "running", error: null });
    expect(await outcomeOf(reference.runId)).toMatchObject({ approval: "rejected,pending", jobs: 1 });
  });

  test("a rejection without such a branch ends the run, naming the step, and closes the other gate", async () => {
    const { reference, two } = await gate();
    const run = await decideRun(decisionOf(reference, { approvalId: two, decision: "rejected" }));
    expect(run).toMatchObject({
      status: "cancelled",
      error: { code: "APPROVAL_REJECTED", message: "Rejected by Ann", step_id: "two", step_name: "Second gate" },
    });
    expect(await outcomeOf(reference.runId)).toMatchObject({ approval: "cancelled,rejected", jobs: 0 });
  });

  test("with several gates open, a decision must name one: no one decides what they have not seen", async () => {
    const { reference, one, two } = await gate();
    const error = await errorOf(approve(reference));
    expect(error).toMatchObject({ code: "BAD_REQUEST", message: expect.stringMatching(/^approval_id:/) });
    const { approvals } = error.details as { approvals: { id: string; step_id: string }[] };
    expect(approvals.map(({ id, step_id }) => [id, step_id]).sort()).toEqual(
      [
        [one, "one"],
        [two, "two"],
      ].sort(),
    );
    expect(await outcomeOf(reference.runId)).toMatchObject({ status: "waiting_for_approval", jobs: 0 });
  });

  test("an expired gate times the whole run out, even while another branch executes", async () => {
    for (const status of ["waiting_for_approval", "running"] as const) {
      const { reference, two } = await gate(status);
      await db().query("update approvals set expires_at = now() - interval '1 ms' where id = $1", [two]);
      expect(await errorOf(approve(reference))).toMatchObject({ code: "APPROVAL_EXPIRED" });
      expect(await outcomeOf(reference.runId)).toEqual({ ...EXPIRED, approval: "cancelled,expired" });
      const { rows } = await db().query("select error, lease_token from runs where id = $1", [reference.runId]);
      expect(rows[0]).toMatchObject({ error: { step_id: "two" }, lease_token: 2 });
    }
  });

  test("a gate that a failed run left open can no longer be decided, and is closed when it is due", async () => {
    const { reference, one } = await gate("running");
    await db().query("update runs set status = 'failed', completed_at = now() where id = $1", [reference.runId]);
    expect(await errorOf(decideRun(decisionOf(reference, { approvalId: one })))).toMatchObject({
      code: "RUN_NOT_WAITING",
    });
    await db().query("update approvals set expires_at = now() - interval '1 ms' where run_id = $1", [reference.runId]);
    expect((await expireApprovals()).ended).toEqual([]);
    expect(await outcomeOf(reference.runId)).toMatchObject({ status: "failed", approval: "cancelled,cancelled" });
  });
});
