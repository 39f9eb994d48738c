import { beforeEach, describe, expect, test } from "vitest";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import type { RunSource } from "#lib/contract/run/run";
import { addAction, addRelease, type TestAction } from "#lib/domain/actions/action.fixture";
import { callAction, countRows, jobsOf, runRequest, type Stage } from "#lib/domain/runs/create/call-action.fixture";
import { createRun, createRuns } from "#lib/domain/runs/create/create-runs";
import { prepareRuns, type RunRequest } from "#lib/domain/runs/create/new-run";
import type { ActionCall } from "#lib/domain/runs/create/run-actions";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db, transaction } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { unseal } from "#lib/platform/secrets/seal";

useTestDatabase();

let workspace: TestWorkspace;
let action: TestAction;
beforeEach(async () => {
  workspace = await addWorkspace();
  action = await addAction(workspace);
});

const stage = (): Stage => ({ workspace, action });
const call = (more?: Partial<ActionCall>) => callAction(stage(), more);
const request = (more?: Partial<RunRequest>) => runRequest(stage(), more);
const rowOf = async (runId: string) => (await db().query("select * from runs where id = $1", [runId])).rows[0];

describe("a run", () => {
  test("is committed together with its job", async () => {
    const { run } = await call();
    expect(run.status).toBe("accepted");
    expect(await jobsOf(run.run_id)).toEqual([{ priority: 0, is_suspect: false }]);
  });

  test("leaves neither row nor job when its transaction is rolled back", async () => {
    const wanted = await request();
    let runId = "";
    await errorOf(
      transaction(async (tx) => {
        const [made] = await createRuns(await prepareRuns([wanted]), tx);
        if (made && "run" in made) runId = made.run.run_id;
        throw new Error("changed our mind");
      }),
    );
    expect(await countRows(stage(), "runs")).toBe(0);
    expect(await jobsOf(runId)).toEqual([]);
  });

  test("keeps its input with the defaults filled in, and no sealed copy if nothing was redacted", async () => {
    const { run } = await call({ input: { name: "Ada", extra: [1] } });
    expect(await rowOf(run.run_id)).toMatchObject({
      input: { name: "Ada", extra: [1], count: 1 },
      input_sealed: null,
      user_id: workspace.userId,
      correlation_id: run.run_id,
    });
  });

  test("stores redacted input in the clear and the caller's own values sealed", async () => {
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

  test("is refused if its input does not match, and nothing is written", async () => {
    const error = await errorOf(call({ input: { name: 7, count: "x" } }));
    expect(error.code).toBe("INPUT_VALIDATION_FAILED");
    expect(error.details).toHaveLength(2);
    expect(await countRows(stage(), "runs")).toBe(0);
    expect(await countRows(stage(), "usage_months")).toBe(0);
  });

  test("is pinned to the release that is current when it is created, even right after a new one", async () => {
    expect((await call()).run).toMatchObject({ action_release_version: 1 });
    const schema = { type: "object", properties: { other: { type: "integer" } }, required: ["other"] } as const;
    await addRelease(db(), workspace, action, 2, { inputSchema: { ...schema, required: ["other"] } });
    expect((await errorOf(call())).code).toBe("INPUT_VALIDATION_FAILED");
    expect((await call({ input: { other: 1 } })).run).toMatchObject({ action_release_version: 2 });
  });

  test.each(["paused", "archived"])("is not created once its action is %s", async (status) => {
    await call();
    await db().query("update actions set status = $2 where id = $1", [action.actionId, status]);
    expect((await errorOf(call())).code).toBe("ACTION_UNAVAILABLE");
    expect((await errorOf(call({ dryRun: true }))).code).toBe("ACTION_UNAVAILABLE");
    expect(await countRows(stage(), "runs")).toBe(1);
  });

  test("is stale when the action no longer matches the request", async () => {
    const wanted = await request();
    await db().query("update actions set approval_policy = 'always' where id = $1", [action.actionId]);
    expect(await createRuns(await prepareRuns([wanted]))).toEqual([{ outcome: "stale" }]);
    expect((await call()).run.status).toBe("waiting_for_approval");
  });
});

describe('approval_policy "always"', () => {
  beforeEach(async () => {
    await db().query("update actions set approval_policy = 'always' where id = $1", [action.actionId]);
  });

  test("holds the run: no job, and an approval request that expires one hour later", async () => {
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
    expect(await countRows(stage(), "approvals")).toBe(0);
  });
});

describe("a dry run", () => {
  test("is recorded as succeeded, without a job, user limit or quota", async () => {
    const { run } = await call({ dryRun: true });
    expect(run).toMatchObject({ source: "dry_run", status: "succeeded", completed_at: null, duration_ms: null });
    const row = await rowOf(run.run_id);
    expect(row).toMatchObject({ dry_run: true, source: "dry_run", status: "succeeded", user_id: null });
    expect(row.completed_at).toEqual(row.created_at);
    expect(await jobsOf(run.run_id)).toEqual([]);
    expect(await countRows(stage(), "usage_months")).toBe(0);
  });
});

describe("runs that no action creates", () => {
  test("keep their origin: a trigger, a replay or a test", async () => {
    const origin = (await call()).run.run_id;
    const target = { workflowId: action.workflowId, versionId: action.versionId, action: null, inputSchema: null };
    const make = async (source: Exclude<RunSource, "dry_run">, more: Partial<RunRequest> = {}) => {
      const made = await createRun(await request({ source, target, input: { body: "\u0000\ud800" }, ...more }));
      return rowOf(made.run_id);
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
