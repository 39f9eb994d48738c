import pg from "pg";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { LeaseLost } from "#lib/core/engine/lease-lost";
import { NO_MASK } from "#lib/core/redaction/mask-texts";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction, countRows, type Stage } from "#lib/domain/runs/create/call-action.fixture";
import { openSubRuns, subRunsOf } from "#lib/domain/runs/create/open-sub-runs";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { raceBehindLock } from "#lib/platform/db/test-race";

// The pool's connections keep the method that they find when they are created.
const query = vi.spyOn(pg.Client.prototype, "query");

useTestDatabase();

let stage: Stage;
let parent: { workspaceId: string; lease: { runId: string; token: number }; mask: typeof NO_MASK };
beforeEach(async () => {
  const workspace = await addWorkspace();
  stage = { workspace, action: await addAction(workspace) };
  const { run } = await callAction(stage);
  parent = { workspaceId: workspace.workspaceId, lease: { runId: run.run_id, token: 1 }, mask: NO_MASK };
  await db().query("update runs set status = 'running', lease_owner = 'pool', lease_token = 1 where id = $1", [
    run.run_id,
  ]);
});

const request = (step: string, more: { slug?: string; input?: Record<string, unknown> } = {}) => ({
  step,
  slug: stage.action.slug,
  input: { name: step },
  traceparent: "",
  ...more,
});
/** The statements since the last mockClear, without the notice to the workers, which no one waits for. */
const statements = () =>
  query.mock.calls
    .map(([given]) => (given as { name?: string }).name ?? String(given))
    .filter((name) => name !== "announce_runs_queued");
const CHILDREN = "parent_run_id is not null";

test("a sub-run that is committed while its step asks again is found, not created twice", async () => {
  const open = () => openSubRuns(parent, [request("sub:")]);
  const opened = await raceBehindLock(
    { text: "select 1 from runs where id = $1 for no key update", values: [parent.lease.runId] },
    [open, open],
  );
  const [first, second] = opened.map((result) => (result.status === "fulfilled" ? result.value : result.reason));
  expect(first).toMatchObject([{ status: "accepted", isEnded: false }]);
  expect(second).toEqual(first);
  expect(await countRows(stage, "runs", CHILDREN)).toBe(1);
});

describe("steps that ask for their sub-runs at the same moment", () => {
  const steps = Array.from({ length: 10 }, (_, index) => `sub:${index}`);

  test("share eight statements and one transaction, however many they are", async () => {
    const open = subRunsOf(parent, (work) => work());
    query.mockClear();
    const opened = await Promise.all(steps.map((step) => open(request(step))));
    expect(statements()).toEqual([
      "find_sub_runs",
      "read_parent_run",
      "get_runnable_action",
      "begin",
      "lock_lease",
      "find_sub_runs",
      "create_runs",
      "commit",
    ]);
    const { rows } = await db().query(
      "select id, parent_step, input, xmin::text from runs where parent_run_id = $1 order by parent_step",
      [parent.lease.runId],
    );
    expect(rows.map((row) => [row.parent_step, row.input.name])).toEqual(steps.map((step) => [step, step]));
    expect(rows.map((row) => row.id)).toEqual(opened.map(({ runId }) => runId));
    expect(new Set(rows.map((row) => row.xmin)).size).toBe(1);
    expect(await countRows(stage, "run_queue", `run_id <> '${parent.lease.runId}'`)).toBe(10);
  });

  test("find the sub-runs that they have with one statement", async () => {
    const open = subRunsOf(parent, (work) => work());
    const ask = () => Promise.all(steps.map((step) => open(request(step))));
    const opened = await ask();
    query.mockClear();
    expect(await ask()).toEqual(opened);
    expect(statements()).toEqual(["find_sub_runs"]);
  });

  test("fail each on its own if their sub-run can't be started", async () => {
    const open = subRunsOf(parent, (work) => work());
    const results = await Promise.allSettled([
      open(request("sub:0")),
      open(request("sub:1", { slug: "missing" })),
      open(request("sub:2", { input: {} })),
      open(request("sub:3")),
    ]);
    expect(results).toMatchObject([
      { status: "fulfilled", value: { status: "accepted" } },
      {
        status: "rejected",
        reason: { code: "VALIDATION_ERROR", message: expect.stringContaining("no action missing") },
      },
      { status: "rejected", reason: { code: "VALIDATION_ERROR", message: expect.stringContaining("name") } },
      { status: "fulfilled", value: { status: "accepted" } },
    ]);
    expect(await countRows(stage, "runs", CHILDREN)).toBe(2);
  });

  test("count against the user's limit one by one", async () => {
    const { workspaceId, userId } = stage.workspace;
    await db().query(
      `insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, status, input, correlation_id, user_id)
       select gen_random_uuid(), $1, $2, $3, 'manual', 'accepted', '{}', 'past', $4 from generate_series(1, 97)`,
      [workspaceId, stage.action.workflowId, stage.action.versionId, userId],
    );
    const open = subRunsOf(parent, (work) => work());
    const results = await Promise.allSettled(steps.slice(0, 4).map((step) => open(request(step))));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
    expect(results[2]).toMatchObject({ reason: { reason: "user_run_limit", retryAfterMs: expect.any(Number) } });
  });

  test("start none once the parent has another worker or has ended", async () => {
    await db().query("update runs set lease_token = 2 where id = $1", [parent.lease.runId]);
    const open = subRunsOf(parent, (work) => work());
    const results = await Promise.allSettled(steps.map((step) => open(request(step))));
    for (const result of results) expect(result).toMatchObject({ reason: expect.any(LeaseLost) });
    expect(await countRows(stage, "runs", CHILDREN)).toBe(0);
  });
});
