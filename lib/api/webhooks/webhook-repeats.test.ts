import { afterAll, describe, expect, test } from "vitest";
import { post } from "#lib/api/webhooks/webhook.fixture";
import { listDeliveries } from "#lib/domain/triggers/deliveries/list-deliveries";
import { redeliverEvent } from "#lib/domain/triggers/deliveries/redeliver-event";
import {
  addTrigger,
  runsOf,
  STANDARD_SECRET,
  signStandard,
  type TestTrigger,
} from "#lib/domain/triggers/trigger.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

process.env.RUNS_PER_USER_PER_HOUR = "0";
// On a busy machine, a thousand deliveries and their repeats after a 503 exceed the default.
process.env.WEBHOOK_REQUESTS_PER_MINUTE = "0";
const workspace = await addWorkspace();
afterAll(() => {
  process.env.RUNS_PER_USER_PER_HOUR = "";
  process.env.WEBHOOK_REQUESTS_PER_MINUTE = "";
});

const open = () => addTrigger(workspace, { kind: "webhook" });
const signed = () => addTrigger(workspace, { kind: "webhook", secret: STANDARD_SECRET, scheme: "standard" });

/** Sends again after a refusal, as senders do if a service is busy. */
async function postUntilAnswered(trigger: TestTrigger, headers: Record<string, string>) {
  for (;;) {
    const answer = await post(trigger.subscriptionId, "{}", headers);
    if (answer.status !== 503) return answer;
  }
}

describe("a repeated delivery", () => {
  test("creates one run if it arrives a thousand times at once", async () => {
    const trigger = await signed();
    const headers = signStandard("{}", "msg_same");
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => postUntilAnswered(trigger, headers)));
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    expect([...new Set(statuses.filter((status) => status !== 202))]).toEqual([200]);
    const [run, ...others] = await runsOf(trigger);
    expect(others).toEqual([]);
    expect(run.jobs).toBe(1);
    for (const { status, body } of answers) {
      expect(body).toEqual(
        status === 202 ? { accepted: true, run_id: run.id } : { accepted: false, duplicate: true, run_id: run.id },
      );
    }
  });

  test("counts as repeated only at the same address and within a day", async () => {
    const [one, two] = [await open(), await open()];
    const headers = { "x-github-delivery": "72d3162e" };
    expect((await post(one.subscriptionId, "1", headers)).status).toBe(202);
    expect((await post(two.subscriptionId, "1", headers)).status).toBe(202);
    expect((await post(one.subscriptionId, "2", headers)).status).toBe(200);
    const age = (hours: number) =>
      db().query(
        "update trigger_deliveries set received_at = now() - make_interval(hours => $2, mins => $3) where subscription_id = $1 and verdict = 'accepted'",
        [one.subscriptionId, hours, hours === 23 ? 59 : 1],
      );
    await age(23);
    expect((await post(one.subscriptionId, "3", headers)).status).toBe(200);
    await age(24);
    expect((await post(one.subscriptionId, "4", headers)).status).toBe(202);
    expect((await post(one.subscriptionId, "5", headers)).status).toBe(200);
    expect(await runsOf(one)).toHaveLength(2);
  });

  test("without an id counts as two deliveries", async () => {
    const trigger = await open();
    expect((await post(trigger.subscriptionId, "{}")).status).toBe(202);
    expect((await post(trigger.subscriptionId, "{}")).status).toBe(202);
  });

  test("is accepted if the body of the first was refused and is now fixed", async () => {
    const trigger = await open();
    expect((await post(trigger.subscriptionId, "{", { "webhook-id": "msg_1" })).status).toBe(400);
    expect((await post(trigger.subscriptionId, "{}", { "webhook-id": "msg_1" })).status).toBe(202);
  });
});

test("redelivering an event uses its real values, not the redacted ones that are shown", async () => {
  const trigger = await open();
  const first = await post(trigger.subscriptionId, '{"mail":"ada@example.com"}', { "webhook-id": "msg_1" });
  const [shown] = await runsOf(trigger);
  expect(shown.input.output.body).toEqual({ mail: "[REDACTED_EMAIL]" });
  const { data } = await listDeliveries(workspace.workspaceId, trigger.workflowId, { limit: 20 });
  const again = await redeliverEvent(workspace.workspaceId, data[0]?.delivery_id ?? "");
  expect(again.run_id).not.toBe(first.body.run_id);
  const { rows } = await db().query("select input_sealed is not null as sealed, source from runs where id = $1", [
    again.run_id,
  ]);
  expect(rows).toEqual([{ sealed: true, source: "webhook" }]);
  const other = await addWorkspace();
  await expect(redeliverEvent(other.workspaceId, data[0]?.delivery_id ?? "")).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(listDeliveries(other.workspaceId, trigger.workflowId, { limit: 20 })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});
