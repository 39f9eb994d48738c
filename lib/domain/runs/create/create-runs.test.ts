import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import { addAction, addRelease, type TestAction } from "#lib/domain/actions/action.fixture";
import { callAction, countRows, jobsOf, runRequest, type Stage } from "#lib/domain/runs/create/call-action.fixture";
import { createRuns } from "#lib/domain/runs/create/create-runs";
import { prepareRuns } from "#lib/domain/runs/create/new-run";
import type { ActionCall } from "#lib/domain/runs/create/run-actions";
import { countAdvisoryWaits } from "#lib/domain/runs/execute/held-lease.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db, transaction } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";

useTestDatabase();
afterEach(() => vi.restoreAllMocks());

test("other work of the process has its turn every 15 ms while a batch is prepared", async () => {
  const workspace = await addWorkspace();
  const request = await runRequest({ workspace, action: await addAction(workspace) });
  // Preparing a run takes 10 ms.
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    nowMs += 10;
    return nowMs;
  });
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect(await prepareRuns(Array.from({ length: 100 }, () => request))).toHaveLength(100);
  isOver = true;
  expect(turns).toBeGreaterThan(40);
});

test("a batch that waits for one of its users has not locked the month, so two batches cannot wait for each other", async () => {
  const workspace = await addWorkspace("free");
  const [first, second] = [workspace, await addWorkspace()]
    .sort((a, b) => a.userId.localeCompare(b.userId))
    .map(({ userId }) => userId) as [string, string];
  const request = await runRequest({ workspace, action: await addAction(workspace) });
  const month = [workspace.workspaceId];
  await db().query(
    "insert into usage_months values ($1, date_trunc('month', now() at time zone 'UTC')::date, 1)",
    month,
  );
  const holder = await db().connect();
  await holder.query("begin");
  await holder.query("select pg_advisory_xact_lock(hashtextextended($1::text, 2))", [second]);
  const prepared = await prepareRuns([first, second].map((userId) => ({ ...request, userId })));
  const batch = transaction((tx) => createRuns(prepared, tx));
  await eventually(async () => expect(await countAdvisoryWaits()).toBe(1));
  const { rowCount } = await holder.query(
    "select 1 from usage_months where workspace_id = $1 for update nowait",
    month,
  );
  expect(rowCount).toBe(1);
  await holder.query("commit");
  holder.release();
  expect((await batch).map((made) => "outcome" in made && made.outcome)).toEqual(["created", "created"]);
});

useTestDatabase();

let workspace: TestWorkspace;
let action: TestAction;
beforeEach(async () => {
  workspace = await addWorkspace();
  action = await addAction(workspace);
});

const stage = (): Stage => ({ workspace, action });
const call = (more?: Partial<ActionCall>) => callAction(stage(), more);

describe("an idempotency key", () => {
  test("creates one run for many equal calls at once, and all get its answer", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => call({ idempotencyKey: "order-7" })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.run))).size).toBe(1);
    expect(answers.filter((answer) => !answer.isReplayed)).toHaveLength(1);
    expect(await countRows(stage(), "runs")).toBe(1);
    expect(await jobsOf(answers[0]?.run.run_id ?? "")).toHaveLength(1);
  });

  test("returns the first answer, however far the run has come and whatever the order of the fields", async () => {
    const first = await call({ idempotencyKey: "k", input: { name: "Ada", count: 2 } });
    await db().query("update runs set status = 'failed', completed_at = now(), error = '{}' where id = $1", [
      first.run.run_id,
    ]);
    const second = await call({ idempotencyKey: "k", input: { count: 2, name: "Ada" } });
    expect(second).toEqual({ run: first.run, isReplayed: true });
  });

  test("returns the first answer for a run that waited for approval", async () => {
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
  ])("with a different %s is refused", async (_, more) => {
    await call({ idempotencyKey: "k" });
    expect((await errorOf(call({ idempotencyKey: "k", ...more }))).code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(await countRows(stage(), "runs")).toBe(1);
  });

  test("is scoped to its action and its workspace", async () => {
    const first = await call({ idempotencyKey: "k" });
    action = await addAction(workspace);
    const second = await call({ idempotencyKey: "k" });
    workspace = await addWorkspace();
    action = await addAction(workspace, { slug: action.slug });
    const third = await call({ idempotencyKey: "k" });
    expect(new Set([first, second, third].map((answer) => answer.run.run_id)).size).toBe(3);
  });

  test("stays unused when the call is refused", async () => {
    expect((await errorOf(call({ idempotencyKey: "k", input: {} }))).code).toBe("INPUT_VALIDATION_FAILED");
    expect(await countRows(stage(), "idempotency_keys")).toBe(0);
    expect((await call({ idempotencyKey: "k" })).isReplayed).toBe(false);
  });

  test("returns the first answer even if the action was paused or its schema changed since", async () => {
    const first = await call({ idempotencyKey: "k" });
    await addRelease(db(), workspace, action, 2, {
      inputSchema: { type: "object", properties: { other: { type: "string" } }, required: ["other"] },
    });
    expect(await call({ idempotencyKey: "k" })).toEqual({ run: first.run, isReplayed: true });
    await db().query("update actions set status = 'paused' where id = $1", [action.actionId]);
    expect(await call({ idempotencyKey: "k" })).toEqual({ run: first.run, isReplayed: true });
    expect((await errorOf(call({ idempotencyKey: "other" }))).code).toBe("ACTION_UNAVAILABLE");
  });

  test("is kept for 24 hours", async () => {
    const first = await call({ idempotencyKey: "k" });
    await db().query("update idempotency_keys set created_at = now() - interval '24 hours 1 second' where key = 'k'");
    const second = await call({ idempotencyKey: "k" });
    expect(second.isReplayed).toBe(false);
    expect(second.run.run_id).not.toBe(first.run.run_id);
    expect(await call({ idempotencyKey: "k" })).toEqual({ run: second.run, isReplayed: true });
  });

  test("is a conflict, not an endless wait, while its first call does not finish", async () => {
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

  test("does not use up the user's hourly limit when it returns a first answer", async () => {
    await call({ idempotencyKey: "k" });
    for (let n = 0; n < 3; n += 1) await call({ idempotencyKey: "k" });
    expect(await countRows(stage(), "runs", "user_id is not null")).toBe(1);
  });
});
