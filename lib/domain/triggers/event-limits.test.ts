import { beforeAll, expect, test } from "vitest";
import { fireDueSchedules } from "#lib/domain/triggers/schedules/fire-due-schedules";
import { addTrigger, runsOf, type TestTrigger } from "#lib/domain/triggers/trigger.fixture";
import { receiveWebhook } from "#lib/domain/triggers/webhooks/receive-webhook";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

let workspace: TestWorkspace;
let webhook: TestTrigger;
beforeAll(async () => {
  workspace = await addWorkspace();
  webhook = await addTrigger(workspace, { kind: "webhook" });
});

function post(trigger: TestTrigger, id: string) {
  const delivery = { headers: new Headers({ "webhook-id": id }), body: Buffer.from("{}"), receivedAt: new Date() };
  return receiveWebhook(trigger.subscriptionId, delivery, (body) => JSON.parse(body.toString()));
}

test("the hundred and first event of an hour is answered, and its run fails before any step", async () => {
  const answers = await Promise.all(Array.from({ length: 103 }, (_, index) => post(webhook, `msg_${index}`)));
  expect(answers.every((answer) => answer.accepted)).toBe(true);
  const runs = await runsOf(webhook);
  const failed = runs.filter((run) => run.status === "failed");
  expect([runs.length, failed.length]).toEqual([103, 3]);
  for (const run of failed) {
    expect(run.error).toEqual({
      code: "RATE_LIMITED",
      reason: "user_run_limit",
      message: "Run limit exceeded (100 per hour)",
    });
    expect(run.jobs).toBe(0);
  }
  // That run was an answer too: the same delivery creates no second one.
  const again = await post(webhook, "msg_102");
  expect(again).toMatchObject({ accepted: false, duplicate: true });
});

test("a schedule above its owner's limit leaves a failed run and continues", async () => {
  const schedule = await addTrigger(workspace, { kind: "schedule", mode: "interval", seconds: 60 });
  await db().query("update trigger_subscriptions set next_at = now() - interval '1 second' where id = $1", [
    schedule.subscriptionId,
  ]);
  expect(await fireDueSchedules()).toMatchObject({ fired: 1 });
  expect(await runsOf(schedule)).toEqual([
    expect.objectContaining({
      status: "failed",
      error: { code: "RATE_LIMITED", reason: "user_run_limit", message: "Run limit exceeded (100 per hour)" },
      jobs: 0,
    }),
  ]);
  const { rows } = await db().query("select next_at > now() as goes_on from trigger_subscriptions where id = $1", [
    schedule.subscriptionId,
  ]);
  expect(rows).toEqual([{ goes_on: true }]);
});

test("another owner's events do not count against it", async () => {
  const other = await addTrigger(await addWorkspace(), { kind: "webhook" });
  await post(other, "msg_1");
  expect((await runsOf(other))[0]?.status).toBe("accepted");
});

test("above the monthly quota the run fails as well", async () => {
  const free = await addWorkspace("free");
  const trigger = await addTrigger(free, { kind: "webhook" });
  await db().query(
    "insert into usage_months (workspace_id, month, runs) values ($1, date_trunc('month', now() at time zone 'UTC'), 1000)",
    [free.workspaceId],
  );
  await post(trigger, "msg_1");
  expect((await runsOf(trigger))[0]).toMatchObject({
    status: "failed",
    error: { message: "Run quota exceeded (1000 per month)" },
  });
});
