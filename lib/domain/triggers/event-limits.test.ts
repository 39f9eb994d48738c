import { beforeEach, describe, expect, test } from "vitest";
import type { ApiError } from "#lib/contract/error/api-error";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import { LIMITS } from "#lib/contract/limits";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction, countRows } from "#lib/domain/runs/create/call-action.fixture";
import { openSubRun } from "#lib/domain/runs/create/sub-run.fixture";
import { listDeliveries } from "#lib/domain/triggers/deliveries/list-deliveries";
import { redeliverEvent } from "#lib/domain/triggers/deliveries/redeliver-event";
import { fireDueSchedules } from "#lib/domain/triggers/schedules/fire-due-schedules";
import { addTrigger, runsOf, type TestTrigger } from "#lib/domain/triggers/trigger.fixture";
import { deliveryOf } from "#lib/domain/triggers/verification/delivery.fixture";
import { receiveWebhook } from "#lib/domain/triggers/webhooks/receive-webhook";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

let workspace: TestWorkspace;
let webhook: TestTrigger;
beforeEach(async () => {
  workspace = await addWorkspace();
  webhook = await addTrigger(workspace, { kind: "webhook" });
});

const OVER_SHARE = "Run limit exceeded (100 per hour, at most 80 of them by events)";

function post(trigger: TestTrigger, id: string, body = "{}") {
  const delivery = deliveryOf({ headers: { "webhook-id": id }, body });
  return receiveWebhook(trigger.subscriptionId, delivery);
}

/** Inserts runs that events or the user's own calls started ten minutes ago. */
async function addPast(many: number, { byEvents }: { byEvents: boolean }): Promise<void> {
  await db().query(
    `insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, status, input, correlation_id, user_id,
       created_at, subscription_id)
     select gen_random_uuid(), v.workspace_id, v.workflow_id, v.id, case when $4 then 'webhook' else 'manual' end, 'accepted',
       '{}', 'past', $2, now() - interval '10 minutes', case when $4 then s.id end
     from workflow_versions v join trigger_subscriptions s on s.workflow_id = v.workflow_id, generate_series(1, $3)
     where s.id = $1`,
    [webhook.subscriptionId, workspace.userId, many, byEvents],
  );
}

async function makeDue(schedule: TestTrigger): Promise<void> {
  await db().query("update trigger_subscriptions set next_at = now() - interval '1 second' where id = $1", [
    schedule.subscriptionId,
  ]);
}

describe("a delivery above the owner's limit", () => {
  test("is refused with the time to wait, and leaves a row of the log without a body and no run", async () => {
    await addPast(80, { byEvents: true });
    const before = await countRows({ workspace, action: await addAction(workspace) }, "runs");
    const error = await errorOf(post(webhook, "msg_1", '{"order":"4711"}'));
    expect([error.code, error.reason, error.message]).toEqual(["RATE_LIMIT_EXCEEDED", "user_run_limit", OVER_SHARE]);
    expect(error.retryAfterSeconds).toBeGreaterThan(49 * 60);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(50 * 60);
    expect(await runsOf(webhook)).toHaveLength(before);
    const { rows } = await db().query(
      "select verdict, run_id, request from trigger_deliveries where workspace_id = $1",
      [workspace.workspaceId],
    );
    expect(rows).toEqual([{ verdict: "over_run_limit", run_id: null, request: { bytes: 16, detail: null } }]);
  });

  describe("with a large body", () => {
    const unreadable = "x".repeat(LIMITS.inlineJsonBytes + 1);

    test("is refused before its body is read", async () => {
      expect((await errorOf(post(webhook, "msg_1", unreadable))).code).toBe("BAD_REQUEST");
      await addPast(80, { byEvents: true });
      const error = await errorOf(post(webhook, "msg_1", unreadable));
      expect([error.reason, error.message]).toEqual(["user_run_limit", OVER_SHARE]);
      expect(error.retryAfterSeconds).toBeGreaterThan(49 * 60);
      const { rows } = await db().query(
        "select verdict, request from trigger_deliveries where workspace_id = $1 order by id",
        [workspace.workspaceId],
      );
      const bytes = unreadable.length;
      expect(rows.at(-1)).toEqual({ verdict: "over_run_limit", request: { bytes, detail: null } });
    });

    test("that was accepted before is a duplicate, not a refusal", async () => {
      const body = JSON.stringify(unreadable);
      const first = await post(webhook, "msg_1", body);
      await addPast(80, { byEvents: true });
      expect(await post(webhook, "msg_1", body)).toEqual({ accepted: false, duplicate: true, run_id: first.run_id });
    });
  });

  test("is accepted when it is sent again after the wait", async () => {
    await addPast(80, { byEvents: true });
    await errorOf(post(webhook, "msg_1"));
    await db().query("update runs set created_at = created_at - interval '1 hour' where workspace_id = $1", [
      workspace.workspaceId,
    ]);
    expect(await post(webhook, "msg_1")).toMatchObject({ accepted: true });
  });

  test("that was accepted before is a duplicate, not a refusal", async () => {
    const first = await post(webhook, "msg_1");
    await addPast(80, { byEvents: true });
    expect(await post(webhook, "msg_1")).toEqual({ accepted: false, duplicate: true, run_id: first.run_id });
  });

  test("is one of exactly those beyond the limit, however many arrive at once", async () => {
    await addPast(70, { byEvents: true });
    const codes = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        post(webhook, `msg_${index}`).then(
          () => "accepted",
          (error: ApiError) => error.code,
        ),
      ),
    );
    expect(codes.filter((code) => code === "accepted")).toHaveLength(10);
    expect(codes.filter((code) => code === "RATE_LIMIT_EXCEEDED")).toHaveLength(20);
    expect((await runsOf(webhook)).filter((run) => run.status === "failed")).toEqual([]);
  });

  test("is logged at most a hundred times a minute", async () => {
    await addPast(80, { byEvents: true });
    for (let sent = 0; sent < 130; sent += 1) await errorOf(post(webhook, `msg_${sent}`));
    const { rows } = await db().query("select count(*)::int as n from trigger_deliveries where workspace_id = $1", [
      workspace.workspaceId,
    ]);
    expect(rows).toEqual([{ n: 100 }]);
  });

  test("is refused to a person who delivers it again, too", async () => {
    await post(webhook, "msg_1");
    const [delivery] = (await listDeliveries(workspace.workspaceId, webhook.workflowId, { limit: 1 })).data;
    await addPast(79, { byEvents: true });
    const again = await errorOf(redeliverEvent(workspace.workspaceId, delivery?.delivery_id ?? ""));
    expect(again.code).toBe("RATE_LIMIT_EXCEEDED");
  });

  test("above the monthly quota is refused as well, and starts no run", async () => {
    const free = await addWorkspace("free");
    const trigger = await addTrigger(free, { kind: "webhook" });
    await db().query(
      "insert into usage_months (workspace_id, month, runs) values ($1, date_trunc('month', now() at time zone 'UTC'), 1000)",
      [free.workspaceId],
    );
    const error = await errorOf(post(trigger, "msg_1"));
    expect([error.code, error.message]).toEqual(["QUOTA_EXCEEDED", "Run quota exceeded (1000 per month)"]);
    expect(await runsOf(trigger)).toEqual([]);
    const [delivery] = (await listDeliveries(free.workspaceId, trigger.workflowId, { limit: 10 })).data;
    expect(delivery).toMatchObject({ verdict: "over_run_quota", run_id: null });
  });
});

describe("events and the owner's own calls", () => {
  test("events never use up the hour: the owner's last twenty runs are left for their own calls", async () => {
    await addPast(80, { byEvents: true });
    await errorOf(post(webhook, "msg_1"));
    const stage = { workspace, action: await addAction(workspace) };
    for (let call = 0; call < 20; call += 1) expect((await callAction(stage)).run.status).toBe("accepted");
    expect(await errorOf(callAction(stage))).toMatchObject({
      reason: "user_run_limit",
      message: "Run limit exceeded (100 per hour)",
    });
  });

  test("the owner's own calls may use the whole hour, and events wait with them", async () => {
    await addPast(100, { byEvents: false });
    expect((await errorOf(post(webhook, "msg_1"))).message).toBe(OVER_SHARE);
  });

  test("the sub-runs of an event's run count as events", async () => {
    const stage = { workspace, action: await addAction(workspace) };
    const answer = await post(webhook, "msg_1");
    await addPast(79, { byEvents: true });
    const lease = { runId: answer.run_id ?? "", token: 1 };
    await db().query("update runs set status = 'running', lease_owner = 'pool', lease_token = 1 where id = $1", [
      lease.runId,
    ]);
    const request = { step: "sub:", slug: stage.action.slug, input: { name: "Ada" }, traceparent: "" };
    const error = await errorOf(openSubRun({ workspaceId: workspace.workspaceId, lease }, request));
    expect(error).toMatchObject({ code: "RATE_LIMITED", reason: "user_run_limit", message: OVER_SHARE });
    expect((await callAction(stage)).run.status).toBe("accepted");
  });

  test("another owner's events do not count against it", async () => {
    await addPast(100, { byEvents: false });
    const other = await addTrigger(await addWorkspace(), { kind: "webhook" });
    await post(other, "msg_1");
    expect((await runsOf(other))[0]?.status).toBe("accepted");
  });
});

test("a schedule above its owner's limit leaves a failed run and continues", async () => {
  await addPast(100, { byEvents: false });
  const schedule = await addTrigger(workspace, { kind: "schedule", mode: "interval", seconds: 60 });
  await makeDue(schedule);
  expect(await fireDueSchedules()).toMatchObject({ fired: 1 });
  expect(await runsOf(schedule)).toEqual([
    expect.objectContaining({
      status: "failed",
      error: { code: "RATE_LIMITED", reason: "user_run_limit", message: OVER_SHARE },
      jobs: 0,
      // It counts against no user: otherwise a schedule would keep its owner above the limit.
      user_id: null,
    }),
  ]);
  const { rows } = await db().query("select next_at > now() as goes_on from trigger_subscriptions where id = $1", [
    schedule.subscriptionId,
  ]);
  expect(rows).toEqual([{ goes_on: true }]);
});

test("a schedule that fires every minute is within the events' share of the hour", async () => {
  await addPast(59, { byEvents: true });
  const schedule = await addTrigger(workspace, { kind: "schedule", mode: "interval", seconds: 60 });
  await makeDue(schedule);
  expect(await fireDueSchedules()).toMatchObject({ fired: 1 });
  expect((await runsOf(schedule))[0]?.status).toBe("accepted");
});
