import { beforeEach, expect, test } from "vitest";
import { addAction, type TestAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { getOnboarding } from "#lib/domain/usage/get-onboarding";
import { getRunUsage } from "#lib/domain/usage/get-run-usage";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

useTestDatabase();

let workspace: TestWorkspace;
let action: TestAction;
beforeEach(async () => {
  workspace = await addWorkspace();
  action = await addAction(workspace, { name: "Refund" });
});

interface Seeded {
  status?: string;
  ms?: number;
  source?: string;
  keyId?: string;
  code?: string;
}

/** Inserts a run that started at a given time. */
async function seed(at: string, { status = "succeeded", ms = 100, source = "action", keyId, code }: Seeded = {}) {
  const isOver = status !== "running";
  await db().query(
    `insert into runs (id, workspace_id, workflow_id, workflow_version_id, action_slug, source, status, input,
       correlation_id, api_key_id, error, created_at, started_at, completed_at)
     values ($1, $2, $3, $4, $5, $6, $7, '{}', '', $8, $9, $10, $10,
       case when $11 then $10::timestamptz + $12 * interval '1 millisecond' end)`,
    [
      uuidv7(),
      workspace.workspaceId,
      action.workflowId,
      action.versionId,
      action.slug,
      source,
      status,
      keyId ?? null,
      code === undefined ? null : { code, message: "" },
      at,
      isOver,
      ms,
    ],
  );
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const dayOf = (at: string) => at.slice(0, 10);
const usage = () => getRunUsage(workspace.workspaceId);

test("runs are counted by day, status, workflow, key and error, without tests and dry runs", async () => {
  const { key_id: keyId } = await addKey(workspace, { name: "Support bot" });
  const [now, earlier] = [daysAgo(0), daysAgo(3)];
  await seed(now, { keyId });
  await seed(earlier, { keyId });
  await seed(earlier, { status: "failed", code: "UPSTREAM_ERROR" });
  await seed(now, { status: "running" });
  await seed(earlier, { source: "test" });
  await seed(earlier, { source: "dry_run" });
  await seed(daysAgo(40));
  const { days, counts, workflows, keys, errors } = await usage();
  expect(counts).toEqual({ succeeded: 2, failed: 1, timed_out: 0, cancelled: 0, open: 1 });
  expect(days).toHaveLength(30);
  // Today is the last day. Midnight may have passed since the runs were seeded.
  expect([dayOf(now), dayOf(daysAgo(0))]).toContain(days[29]?.day);
  const countsOn = (at: string) => days.find(({ day }) => day === dayOf(at))?.counts;
  expect(countsOn(now)).toMatchObject({ succeeded: 1, open: 1 });
  expect(countsOn(earlier)).toMatchObject({ succeeded: 1, failed: 1 });
  expect(workflows).toMatchObject([{ name: "Refund", action_slug: action.slug, counts }]);
  expect(keys).toMatchObject([{ name: "Support bot", counts: { succeeded: 2, failed: 0 } }]);
  expect(errors).toEqual([{ code: "UPSTREAM_ERROR", runs: 1 }]);
  // The same result again from the stored days.
  expect(await usage()).toMatchObject({ counts, errors });
  const kept = await db().query("select count(*)::int as n from usage_days where workspace_id = $1", [
    workspace.workspaceId,
  ]);
  expect(kept.rows[0].n).toBeGreaterThanOrEqual(28);
});

test("the durations of half and of 95 in 100 runs are within five percent, also over stored days", async () => {
  for (let index = 1; index <= 100; index += 1) await seed(daysAgo(index % 2 ? 5 : 6), { ms: index * 10 });
  await usage();
  const { p50_ms: p50, p95_ms: p95 } = await usage();
  expect(Math.abs((p50 ?? 0) - 500)).toBeLessThan(30);
  expect(Math.abs((p95 ?? 0) - 950)).toBeLessThan(55);
});

test("a day starts when it starts in the workspace's time zone", async () => {
  await db().query("update workspaces set time_zone = 'Asia/Kolkata' where id = $1", [workspace.workspaceId]);
  const { rows } = await db().query(
    "select to_char(now() - interval '5 days', 'YYYY-MM-DD') || 'T18:29:59Z' as before, to_char(now() - interval '5 days', 'YYYY-MM-DD') || 'T18:30:01Z' as after",
  );
  await seed(rows[0].before);
  await seed(rows[0].after, { status: "cancelled" });
  const { days } = await usage();
  const busy = days.filter(({ counts }) => counts.succeeded + counts.cancelled > 0);
  expect(busy.map(({ counts }) => [counts.succeeded, counts.cancelled])).toEqual([
    [1, 0],
    [0, 1],
  ]);
});

test("some of the days can be counted separately, and in a requested zone", async () => {
  await seed(daysAgo(0));
  await seed(daysAgo(5), { status: "failed", code: "TIMEOUT" });
  const { days } = await usage();
  const [from, to] = [days[20]?.day ?? "", days[27]?.day ?? ""];
  const some = await getRunUsage(workspace.workspaceId, { from, to });
  expect(some.days.map(({ day }) => day)).toEqual(days.slice(20, 28).map(({ day }) => day));
  expect(some).toMatchObject({ counts: { succeeded: 0, failed: 1 }, errors: [{ code: "TIMEOUT", runs: 1 }] });
  const elsewhere = await getRunUsage(workspace.workspaceId, { timeZone: "Pacific/Kiritimati" });
  expect(elsewhere.time_zone).toBe("Pacific/Kiritimati");
  expect(elsewhere.days.at(-1)?.from.slice(11, 16)).toBe("10:00");
});

test("a day with an open run is not stored, and days of other workspaces are not counted", async () => {
  await seed(daysAgo(10), { status: "running" });
  expect((await usage()).counts.open).toBe(1);
  await db().query("update runs set status = 'succeeded', completed_at = now() where workspace_id = $1", [
    workspace.workspaceId,
  ]);
  expect((await usage()).counts).toMatchObject({ open: 0, succeeded: 1 });
  expect((await getRunUsage((await addWorkspace()).workspaceId)).counts.succeeded).toBe(0);
});

test("the onboarding steps are checked off by what exists", async () => {
  const empty = await addWorkspace();
  expect(await getOnboarding(empty.workspaceId)).toEqual({ action_slug: null, has_key: false, first_run_id: null });
  await callAction({ workspace, action });
  expect(await getOnboarding(workspace.workspaceId)).toMatchObject({ action_slug: action.slug, first_run_id: null });
  const { key_id: apiKeyId } = await addKey(workspace);
  const { run } = await callAction({ workspace, action }, { apiKeyId });
  expect(await getOnboarding(workspace.workspaceId)).toEqual({
    action_slug: action.slug,
    has_key: true,
    first_run_id: run.run_id,
  });
});
