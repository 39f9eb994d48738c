import { beforeEach, describe, expect, test } from "vitest";
import { addAction, addRelease, type TestAction } from "#lib/actions/action.fixture";
import { getRunnableAction } from "#lib/actions/get-runnable-action";
import type { ApiError } from "#lib/contract/api-error";
import type { JsonObject } from "#lib/contract/json-schema";
import type { RunSource } from "#lib/contract/run";
import { db } from "#lib/db/pool";
import { useTestDatabase } from "#lib/db/test-database";
import { transaction } from "#lib/db/transaction";
import { createRun, type RunRequest } from "#lib/runs/create-run";
import { type ActionCall, runAction } from "#lib/runs/run-action";
import { unseal } from "#lib/secrets/seal";
import { addWorkspace, type TestWorkspace } from "#lib/workspaces/workspace.fixture";

useTestDatabase();

let workspace: TestWorkspace;
let action: TestAction;
beforeEach(async () => {
  workspace = await addWorkspace();
  action = await addAction(workspace);
});

function call(
  more: Partial<ActionCall> = {},
): Promise<{ run: { run_id: string; status: string }; isReplayed: boolean }> {
  const input: JsonObject = { name: "Ada" };
  return runAction({ ...workspace, slug: action.slug, input, dryRun: false, source: "action", ...more });
}

async function request(more: Partial<RunRequest> = {}): Promise<RunRequest> {
  const target = await getRunnableAction(workspace.workspaceId, action.slug);
  return {
    ...workspace,
    source: "action",
    dryRun: false,
    input: { name: "Ada" },
    target: {
      workflowId: target.workflowId,
      versionId: target.versionId,
      action: target,
      inputSchema: target.inputSchema,
    },
    ...more,
  };
}

const errorOf = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => expect.fail("it was not refused"),
    (error: ApiError) => error,
  );

async function count(table: string, where = "true"): Promise<number> {
  const { rows } = await db().query(`select count(*)::int as n from ${table} where workspace_id = $1 and ${where}`, [
    workspace.workspaceId,
  ]);
  return rows[0].n;
}

async function jobsOf(runId: string): Promise<{ task_identifier: string; max_attempts: number }[]> {
  const { rows } = await db().query("select task_identifier, max_attempts from graphile_worker.jobs where key = $1", [
    `run:${runId}`,
  ]);
  return rows;
}

const rowOf = async (runId: string) => (await db().query("select * from runs where id = $1", [runId])).rows[0];

describe("a run", () => {
  test("is committed with its job", async () => {
    const { run } = await call();
    expect(run.status).toBe("accepted");
    expect(await jobsOf(run.run_id)).toEqual([{ task_identifier: "execute_run", max_attempts: 50 }]);
  });

  test("of a transaction that is rolled back leaves neither row nor job", async () => {
    const wanted = await request();
    let runId = "";
    await errorOf(
      transaction(async (tx) => {
        const made = await createRun(wanted, tx);
        if (made.outcome === "created") runId = made.run.run_id;
        throw new Error("changed our mind");
      }),
    );
    expect(await count("runs")).toBe(0);
    expect(await jobsOf(runId)).toEqual([]);
  });

  test("keeps its input with the defaults filled in, and no sealed copy where nothing was redacted", async () => {
    const { run } = await call({ input: { name: "Ada", extra: [1] } });
    expect(await rowOf(run.run_id)).toMatchObject({
      input: { name: "Ada", extra: [1], count: 1 },
      input_sealed: null,
      user_id: workspace.userId,
      correlation_id: run.run_id,
    });
  });

  test("keeps redacted input in clear and the caller's own values sealed", async () => {
    const { run } = await call({ input: { name: "ada@lovelace.example" } });
    const row = await rowOf(run.run_id);
    expect(row.input).toEqual({ name: "[REDACTED_EMAIL]", count: 1 });
    expect(run).toMatchObject({ input: row.input });
    expect(row.input_sealed.toString("latin1")).not.toContain("lovelace");
    const context = `input|${run.run_id}`;
    expect(unseal(workspace.workspaceId, context, row.input_sealed)).toEqual({
      name: "ada@lovelace.example",
      count: 1,
    });
  });

  test("is not made for an input that does not match: nothing is written", async () => {
    const error = await errorOf(call({ input: { name: 7, count: "x" } }));
    expect(error.code).toBe("INPUT_VALIDATION_FAILED");
    expect(error.details).toHaveLength(2);
    expect(await count("runs")).toBe(0);
    expect(await count("usage_months")).toBe(0);
  });

  test("is pinned to the release that is current when it is made, also right after a new one", async () => {
    expect((await call()).run).toMatchObject({ action_release_version: 1 });
    const schema = { type: "object", properties: { other: { type: "integer" } }, required: ["other"] } as const;
    await addRelease(db(), workspace, action, 2, { inputSchema: { ...schema, required: ["other"] } });
    expect((await errorOf(call())).code).toBe("INPUT_VALIDATION_FAILED");
    expect((await call({ input: { other: 1 } })).run).toMatchObject({ action_release_version: 2 });
  });

  test.each(["paused", "archived"])("is not made once its action is %s", async (status) => {
    await call();
    await db().query("update actions set status = $2 where id = $1", [action.actionId, status]);
    expect((await errorOf(call())).code).toBe("ACTION_UNAVAILABLE");
    expect((await errorOf(call({ dryRun: true }))).code).toBe("ACTION_UNAVAILABLE");
    expect(await count("runs")).toBe(1);
  });

  test("is stale when the action is no longer what the request says", async () => {
    const wanted = await request();
    await db().query("update actions set approval_policy = 'always' where id = $1", [action.actionId]);
    expect(await createRun(wanted)).toEqual({ outcome: "stale" });
    expect((await call()).run.status).toBe("waiting_for_approval");
  });
});

describe("approval_policy always", () => {
  beforeEach(async () => {
    await db().query("update actions set approval_policy = 'always' where id = $1", [action.actionId]);
  });

  test("holds the run back: no job, and a request that expires one hour later", async () => {
    const { run } = await call();
    expect(run).toMatchObject({ status: "waiting_for_approval", started_at: null, steps: [] });
    expect(await jobsOf(run.run_id)).toEqual([]);
    const { rows } = await db().query(
      "select *, extract(epoch from expires_at - requested_at)::int as seconds from approvals where run_id = $1",
      [run.run_id],
    );
    expect(rows).toMatchObject([{ kind: "policy", status: "pending", seconds: 3600 }]);
    expect(run).toMatchObject({ approval: { id: rows[0].id, status: "pending", kind: "policy", step_id: null } });
  });

  test("does not hold a dry run", async () => {
    expect((await call({ dryRun: true })).run).toMatchObject({ status: "succeeded", approval: null });
    expect(await count("approvals")).toBe(0);
  });
});

describe("a dry run", () => {
  test("is recorded as succeeded, without job, user limit or quota", async () => {
    const { run } = await call({ dryRun: true });
    expect(run).toMatchObject({ source: "dry_run", status: "succeeded", completed_at: null, duration_ms: null });
    const row = await rowOf(run.run_id);
    expect(row).toMatchObject({ dry_run: true, source: "dry_run", status: "succeeded", user_id: null });
    expect(row.completed_at).toEqual(row.created_at);
    expect(await jobsOf(run.run_id)).toEqual([]);
    expect(await count("usage_months")).toBe(0);
  });
});

describe("the user's hundred runs an hour", () => {
  /** Runs of the same user, made some time ago. */
  async function addPast(many: number, minutesAgo: number): Promise<void> {
    await call();
    await db().query(
      `insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, status, input, correlation_id, user_id, created_at)
       select gen_random_uuid(), workspace_id, workflow_id, workflow_version_id, 'manual', 'accepted', '{}', 'past', user_id,
         now() - make_interval(mins => $2)
       from runs, generate_series(1, $3) where workspace_id = $1`,
      [workspace.workspaceId, minutesAgo, many],
    );
  }

  test("are exactly a hundred, however many calls come at once", async () => {
    await addPast(89, 10);
    const codes = await Promise.all(
      Array.from({ length: 40 }, () =>
        call().then(
          () => "made",
          (error: ApiError) => error.code,
        ),
      ),
    );
    expect(codes.filter((code) => code === "made")).toHaveLength(10);
    expect(codes.filter((code) => code === "RATE_LIMIT_EXCEEDED")).toHaveLength(30);
    expect(await count("runs", "user_id is not null")).toBe(100);
  });

  test("slide: the answer says when the oldest leaves, and runs of an hour ago do not count", async () => {
    await addPast(98, 45);
    await call();
    const error = await errorOf(call());
    expect(error.message).toBe("Run limit exceeded (100 per hour)");
    expect(error.retryAfterSeconds).toBeGreaterThan(14 * 60);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(15 * 60);
    await db().query("update runs set created_at = created_at - interval '15 minutes' where user_id = $1", [
      workspace.userId,
    ]);
    expect((await call()).run.status).toBe("accepted");
  });

  test("count runs of every origin, but not dry ones, and not another user's", async () => {
    await addPast(99, 1);
    expect((await errorOf(call({ source: "manual" }))).code).toBe("RATE_LIMIT_EXCEEDED");
    expect((await call({ dryRun: true })).run.status).toBe("succeeded");
    const other = await addWorkspace();
    expect((await call({ userId: other.userId })).run.status).toBe("accepted");
  });

  test.each(["webhook", "schedule"] as const)("let a %s become a run that failed before any step", async (source) => {
    await addPast(99, 1);
    const made = await createRun(await request({ source }));
    expect(made).toMatchObject({
      outcome: "created",
      run: { status: "failed", source, steps: [], error: { message: "Run limit exceeded (100 per hour)" } },
    });
    if (made.outcome !== "created") return;
    expect(await jobsOf(made.run.run_id)).toEqual([]);
    // It counts against nobody: else a busy webhook would keep its owner out for ever.
    expect(await rowOf(made.run.run_id)).toMatchObject({ status: "failed", user_id: null });
  });
});

describe("the month's quota", () => {
  test("is exact however many calls come at once, and refusals are not counted", async () => {
    workspace = await addWorkspace("free");
    action = await addAction(workspace);
    const month = "date_trunc('month', now() at time zone 'UTC')::date";
    await db().query(`insert into usage_months values ($1, ${month}, 995)`, [workspace.workspaceId]);
    const codes = await Promise.all(
      Array.from({ length: 20 }, () =>
        call().then(
          () => "made",
          (error: ApiError) => error.code,
        ),
      ),
    );
    expect(codes.filter((code) => code === "made")).toHaveLength(5);
    expect(codes.filter((code) => code === "QUOTA_EXCEEDED")).toHaveLength(15);
    const { rows } = await db().query("select runs from usage_months where workspace_id = $1", [workspace.workspaceId]);
    expect(rows).toEqual([{ runs: 1000 }]);
    expect(await count("runs")).toBe(5);
    expect((await call({ dryRun: true })).run.status).toBe("succeeded");
  });

  test("does not exist for business", async () => {
    await call();
    expect(await count("usage_months")).toBe(0);
  });
});

describe("an idempotency key", () => {
  test("makes one run of many equal calls at once, and all get its answer", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => call({ idempotencyKey: "order-7" })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.run))).size).toBe(1);
    expect(answers.filter((answer) => !answer.isReplayed)).toHaveLength(1);
    expect(await count("runs")).toBe(1);
    expect(await jobsOf(answers[0]?.run.run_id ?? "")).toHaveLength(1);
  });

  test("answers as at first, however far the run has come, and whatever the order of the fields", async () => {
    const first = await call({ idempotencyKey: "k", input: { name: "Ada", count: 2 } });
    await db().query("update runs set status = 'failed', completed_at = now(), error = '{}' where id = $1", [
      first.run.run_id,
    ]);
    const second = await call({ idempotencyKey: "k", input: { count: 2, name: "Ada" } });
    expect(second).toEqual({ run: first.run, isReplayed: true });
  });

  test("answers as at first for a run that waited for approval", async () => {
    await db().query("update actions set approval_policy = 'always' where id = $1", [action.actionId]);
    const first = await call({ idempotencyKey: "k" });
    await db().query("update approvals set status = 'approved', decided_at = now() where run_id = $1", [
      first.run.run_id,
    ]);
    await db().query("update runs set status = 'accepted' where id = $1", [first.run.run_id]);
    expect(await call({ idempotencyKey: "k" })).toEqual({ run: first.run, isReplayed: true });
  });

  test.each([
    ["input", { input: { name: "Grace" } }],
    ["dry_run", { dryRun: true }],
  ])("with another %s is refused", async (_, more) => {
    await call({ idempotencyKey: "k" });
    expect((await errorOf(call({ idempotencyKey: "k", ...more }))).code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(await count("runs")).toBe(1);
  });

  test("belongs to its action, and to its workspace", async () => {
    const first = await call({ idempotencyKey: "k" });
    action = await addAction(workspace);
    const second = await call({ idempotencyKey: "k" });
    workspace = await addWorkspace();
    action = await addAction(workspace, { slug: action.slug });
    const third = await call({ idempotencyKey: "k" });
    expect(new Set([first, second, third].map((answer) => answer.run.run_id)).size).toBe(3);
  });

  test("of a refused call is still unused", async () => {
    expect((await errorOf(call({ idempotencyKey: "k", input: {} }))).code).toBe("INPUT_VALIDATION_FAILED");
    expect(await count("idempotency_keys")).toBe(0);
    expect((await call({ idempotencyKey: "k" })).isReplayed).toBe(false);
  });

  test("still gives the first answer when the action was paused or its schema changed since", async () => {
    const first = await call({ idempotencyKey: "k" });
    await addRelease(db(), workspace, action, 2, {
      inputSchema: { type: "object", properties: { other: { type: "string" } }, required: ["other"] },
    });
    expect(await call({ idempotencyKey: "k" })).toEqual({ run: first.run, isReplayed: true });
    await db().query("update actions set status = 'paused' where id = $1", [action.actionId]);
    expect(await call({ idempotencyKey: "k" })).toEqual({ run: first.run, isReplayed: true });
    expect((await errorOf(call({ idempotencyKey: "other" }))).code).toBe("ACTION_UNAVAILABLE");
  });

  test("holds for 24 hours", async () => {
    const first = await call({ idempotencyKey: "k" });
    await db().query("update idempotency_keys set created_at = now() - interval '24 hours 1 second' where key = 'k'");
    const second = await call({ idempotencyKey: "k" });
    expect(second.isReplayed).toBe(false);
    expect(second.run.run_id).not.toBe(first.run.run_id);
    expect(await call({ idempotencyKey: "k" })).toEqual({ run: second.run, isReplayed: true });
  });

  test("whose first call does not come to an end is a conflict, not a wait without end", async () => {
    await call({ idempotencyKey: "other" });
    await transaction(async (tx) => {
      await tx.query({
        text: "select pg_advisory_xact_lock(hashtextextended(concat_ws('|', $1::uuid, $2::text, $3::text), 1))",
        values: [workspace.workspaceId, action.slug, "k"],
      });
      expect((await errorOf(call({ idempotencyKey: "k" }))).code).toBe("IDEMPOTENCY_IN_PROGRESS");
    });
    expect((await call({ idempotencyKey: "k" })).isReplayed).toBe(false);
  });

  test("costs no run of the hour when it answers again", async () => {
    await call({ idempotencyKey: "k" });
    for (let n = 0; n < 3; n += 1) await call({ idempotencyKey: "k" });
    expect(await count("runs", "user_id is not null")).toBe(1);
  });
});

describe("runs that no action makes", () => {
  test("keep their origin: a trigger's, a replay's and a test's", async () => {
    const origin = (await call()).run.run_id;
    const target = { workflowId: action.workflowId, versionId: action.versionId, action: null, inputSchema: null };
    const make = async (source: Exclude<RunSource, "dry_run">, more: Partial<RunRequest> = {}) => {
      const made = await createRun(await request({ source, target, input: { body: "\u0000\ud800" }, ...more }));
      return made.outcome === "created" ? rowOf(made.run.run_id) : null;
    };
    expect(await make("webhook")).toMatchObject({ action_slug: null, input: { body: "\ufffd\ufffd" } });
    expect(await make("replay", { resumeFrom: { runId: origin, stepId: "greet" } })).toMatchObject({
      source: "replay",
      resume_from_run_id: origin,
      resume_from_step_id: "greet",
    });
    const definition = { nodes: [], edges: [] };
    expect(await make("test", { target: { ...target, versionId: null, definition } })).toMatchObject({
      workflow_version_id: null,
      definition,
    });
    expect(await make("action", { parent: { runId: origin, step: "sub", depth: 1 } })).toMatchObject({
      parent_run_id: origin,
      parent_step: "sub",
      depth: 1,
    });
  });
});
