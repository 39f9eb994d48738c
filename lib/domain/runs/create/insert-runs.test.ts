import { beforeEach, describe, expect, test } from "vitest";
import { ApiError } from "#lib/contract/error/api-error";
import { addAction } from "#lib/domain/actions/action.fixture";
import { runRequest, type Stage } from "#lib/domain/runs/create/call-action.fixture";
import { insertRuns } from "#lib/domain/runs/create/insert-runs";
import { type NewRun, prepareRuns, type RunRequest } from "#lib/domain/runs/create/new-run";
import { runOfEvent } from "#lib/domain/triggers/deliveries/accept-event";
import { findSubscription } from "#lib/domain/triggers/subscription";
import { addTrigger } from "#lib/domain/triggers/trigger.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

let first: Stage;
let second: Stage;
beforeEach(async () => {
  [first, second] = await Promise.all([addStage(), addStage()]);
});

async function addStage(): Promise<Stage> {
  const workspace = await addWorkspace("free");
  return { workspace, action: await addAction(workspace) };
}

async function prepare(stage: Stage, more: Partial<RunRequest> = {}): Promise<NewRun> {
  const [run] = await prepareRuns([await runRequest(stage, more)]);
  if (!run || run instanceof ApiError) throw new Error("the request was refused");
  return run;
}

async function outcomesOf(runs: readonly NewRun[]): Promise<string[]> {
  return (await insertRuns(db(), runs)).map(({ outcome }) => outcome);
}

async function setMonth({ workspace }: Stage, runs: number): Promise<void> {
  const month = "date_trunc('month', now() at time zone 'UTC')::date";
  await db().query(`insert into usage_months values ($1, ${month}, $2)`, [workspace.workspaceId, runs]);
}

async function countMonth({ workspace }: Stage): Promise<number> {
  const { rows } = await db().query("select runs from usage_months where workspace_id = $1", [workspace.workspaceId]);
  return rows[0].runs;
}

describe("a statement for many runs", () => {
  test("creates exactly as many as the month leaves, in the given order, and all of another workspace", async () => {
    await setMonth(first, 998);
    const runs: NewRun[] = [];
    for (const stage of [first, second, first, first, second, first]) runs.push(await prepare(stage));
    expect(await outcomesOf(runs)).toEqual(["created", "created", "created", "month_limit", "created", "month_limit"]);
    expect([await countMonth(first), await countMonth(second)]).toEqual([1000, 2]);
  });

  test("creates exactly as many as the user's hour leaves, and counts the refused ones in no month", async () => {
    for (let more = 0; more < 2; more += 1) {
      const runs = await Promise.all(Array.from({ length: 49 }, () => prepare(first)));
      expect(new Set(await outcomesOf(runs))).toEqual(new Set(["created"]));
    }
    const runs: NewRun[] = [];
    for (const stage of [first, first, second, first]) runs.push(await prepare(stage));
    const made = await insertRuns(db(), runs);
    expect(made.map(({ outcome }) => outcome)).toEqual(["created", "created", "created", "user_limit"]);
    expect(made[3]?.retry_after).toBeGreaterThan(3590);
    expect([await countMonth(first), await countMonth(second)]).toEqual([100, 1]);
  });

  test("creates no more than the limit when a statement alone exceeds it", async () => {
    await setMonth(first, 0);
    const runs = await Promise.all(Array.from({ length: 3 }, () => prepare(first)));
    expect(await outcomesOf(runs.map((run) => ({ ...run, month_limit: 2 })))).toEqual([
      "created",
      "created",
      "month_limit",
    ]);
    const more = await Promise.all(Array.from({ length: 3 }, () => prepare(second)));
    expect(await outcomesOf(more.map((run) => ({ ...run, user_limit: 2 })))).toEqual([
      "created",
      "created",
      "user_limit",
    ]);
  });

  test("writes a run above the limit as failed when its event has no sender, and refuses the call after it", async () => {
    await setMonth(first, 1000);
    const [failed, refused] = await insertRuns(db(), [
      await prepare(first, { overLimit: "fail" }),
      await prepare(first),
    ]);
    expect(failed).toMatchObject({ outcome: "created", status: "failed", error: { reason: "monthly_run_quota" } });
    expect(refused).toMatchObject({ outcome: "month_limit", status: null });
  });

  test("lets the next run with the same key decide when the first one is refused", async () => {
    const [stale, current, equal, other] = [
      await prepare(first, { idempotencyKey: "k" }),
      await prepare(first, { idempotencyKey: "k" }),
      await prepare(first, { idempotencyKey: "k" }),
      await prepare(first, { idempotencyKey: "k", input: { name: "Bob" } }),
    ];
    const runs = [{ ...stale, release_id: stale.workflow_version_id }, current, equal, other];
    expect(await outcomesOf(runs)).toEqual(["stale", "created", "replayed", "key_reused"]);
  });

  test("accepts the first of equal events, and the others are duplicates of its run", async () => {
    const trigger = await addTrigger(first.workspace, { kind: "webhook" });
    const subscription = await findSubscription(trigger.subscriptionId, "webhook");
    if (!subscription) throw new Error("there is no subscription");
    const event = (dedupeKey: string | null) =>
      runOfEvent({
        subscription,
        source: "webhook",
        input: { shown: "{}", keepsKeyOrder: true, original: null },
        dedupeKey,
        facts: {},
        overLimit: "refuse",
      });
    const runs = [event("a"), event(null), event("a"), event("b"), await prepare(second)];
    expect(await insertRuns(db(), runs)).toMatchObject([
      { outcome: "created", status: "accepted" },
      { outcome: "created" },
      { outcome: "duplicate", run_id: runs[0]?.id },
      { outcome: "created" },
      { outcome: "created" },
    ]);
    const { rows } = await db().query(
      "select verdict, count(*)::int as n from trigger_deliveries group by 1 order by 1",
    );
    expect(rows).toEqual([
      { verdict: "accepted", n: 3 },
      { verdict: "duplicate", n: 1 },
    ]);
  });
});
