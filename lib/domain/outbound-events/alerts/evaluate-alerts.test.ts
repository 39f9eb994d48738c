import { beforeEach, expect, test } from "vitest";
import type { AlertKind } from "#lib/contract/event/outbound-event";
import { addAction, type TestAction } from "#lib/domain/actions/action.fixture";
import { createRule } from "#lib/domain/outbound-events/alerts/create-rule";
import { evaluateAlerts } from "#lib/domain/outbound-events/alerts/evaluate-alerts";
import { readRules } from "#lib/domain/outbound-events/alerts/rule-row";
import { createEndpoint } from "#lib/domain/outbound-events/endpoints/create-endpoint";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

useTestDatabase();

const ACTOR = { type: "system", id: null, name: "test" } as const;
let workspace: TestWorkspace;
let action: TestAction;
beforeEach(async () => {
  await db().query("delete from alert_rules");
  workspace = await addWorkspace();
  action = await addAction(workspace, { name: "Refund" });
  const events = ["alert.fired", "alert.recovered"] as const;
  await createEndpoint({ ...workspace, actor: ACTOR, url: "https://example.com/", name: "", events });
});

const addRule = (kind: AlertKind, threshold: number, minRuns = 4) =>
  createRule({ ...workspace, actor: ACTOR, workflowId: null, kind, threshold, windowMinutes: 60, minRuns });

/** Inserts runs with these ends, one after the other, each this many ms long. */
async function end(statuses: ("succeeded" | "failed")[], ms = 10, source = "action"): Promise<void> {
  for (const status of statuses) {
    await db().query(
      `insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, status, input, correlation_id,
         created_at, started_at, completed_at)
       select $1, $2, $3, $4, $5, $6, '{}', '', t.at, t.at, t.at + $7 * interval '1 millisecond'
       from (select clock_timestamp() as at) t`,
      [uuidv7(), workspace.workspaceId, action.workflowId, action.versionId, source, status, ms],
    );
  }
}

/**
 * Evaluates again, as if the time for it had come.
 * @returns the events so far
 */
async function look(): Promise<[type: string, value: number][]> {
  await db().query("update alert_rules set evaluated_at = '-infinity'");
  await evaluateAlerts();
  const { rows } = await db().query(
    "select type, data from event_deliveries where workspace_id = $1 order by created_at, id",
    [workspace.workspaceId],
  );
  return rows.map(({ type, data }) => [type, data.value]);
}

test("runs that failed because of the machine fire no alert", async () => {
  await addRule("failures_in_a_row", 3);
  await addRule("error_rate", 10, 2);
  await end(["succeeded", "succeeded", "failed", "failed", "failed"]);
  await db().query(
    `update runs set error = '{"code": "UPSTREAM_ERROR", "reason": "sandbox_unavailable", "message": ""}'
     where workspace_id = $1 and status = 'failed'`,
    [workspace.workspaceId],
  );
  expect(await look()).toEqual([]);
});

test("failures in a row fire once, stay silent while they continue, and recover with the first success", async () => {
  const rule = await addRule("failures_in_a_row", 3);
  await end(["failed", "failed"]);
  expect(await look()).toEqual([]);
  await end(["failed"]);
  expect(await look()).toEqual([["alert.fired", 3]]);
  const [firing] = await readRules(db(), workspace.workspaceId, rule.rule_id);
  expect(firing?.firing).toMatchObject([{ workflow_name: "Refund", value: 3 }]);
  await end(["failed"]);
  expect(await look()).toEqual([["alert.fired", 3]]);
  await end(["succeeded"]);
  expect((await look()).map(([type]) => type)).toEqual(["alert.fired", "alert.recovered"]);
});

test("a threshold that is not a whole number fires at the next whole number", async () => {
  await addRule("failures_in_a_row", 1.5);
  await end(["failed"]);
  expect(await look()).toEqual([]);
  await end(["failed"]);
  expect(await look()).toEqual([["alert.fired", 2]]);
});

test("an error rate needs its minimum of runs, and too few runs change nothing", async () => {
  await addRule("error_rate", 50, 4);
  await end(["failed", "failed", "failed"]);
  expect(await look()).toEqual([]);
  await end(["succeeded"]);
  expect(await look()).toEqual([["alert.fired", 75]]);
  await db().query("update runs set created_at = created_at - interval '2 hours' where status = 'failed'");
  expect(await look()).toHaveLength(1);
  await end(["succeeded", "succeeded", "succeeded"]);
  expect((await look()).map(([type]) => type)).toEqual(["alert.fired", "alert.recovered"]);
});

test("slow runs are measured by the duration that 95 of 100 stay below", async () => {
  await addRule("slow", 100, 4);
  await end(["succeeded", "succeeded", "succeeded", "succeeded"], 90);
  expect(await look()).toEqual([]);
  await end(["succeeded", "succeeded"], 400);
  const [[type, value] = []] = await look();
  expect(type).toBe("alert.fired");
  expect(value).toBeGreaterThan(100);
});

test("tests of a draft fire nothing, and two workers that evaluate at once fire once", async () => {
  await addRule("failures_in_a_row", 2);
  await end(["failed", "failed"], 10, "test");
  expect(await look()).toEqual([]);
  await end(["failed", "failed"]);
  await db().query("update alert_rules set evaluated_at = '-infinity'");
  await Promise.all([evaluateAlerts(), evaluateAlerts(), evaluateAlerts()]);
  const { rows } = await db().query("select type from event_deliveries where workspace_id = $1", [
    workspace.workspaceId,
  ]);
  expect(rows).toEqual([{ type: "alert.fired" }]);
});
