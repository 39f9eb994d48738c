import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "#lib/db/pool";
import { useTestDatabase } from "#lib/db/test-database";
import { webhookMethodNotAllowed, webhookRoute } from "#lib/surfaces/webhook-route";
import { listDeliveries } from "#lib/triggers/list-deliveries";
import { redeliverEvent } from "#lib/triggers/redeliver-event";
import { setTriggerStatus } from "#lib/triggers/set-trigger-status";
import {
  addTrigger,
  editorIn,
  republish,
  runsOf,
  STANDARD_SECRET,
  signStandard,
  type TestTrigger,
} from "#lib/triggers/trigger.fixture";
import { deleteWorkflow } from "#lib/workflows/delete-workflow";
import { addWorkspace, type TestWorkspace } from "#lib/workspaces/workspace.fixture";

useTestDatabase();

let workspace: TestWorkspace;
beforeAll(async () => {
  process.env.RUNS_PER_USER_PER_HOUR = "0";
  workspace = await addWorkspace();
});
afterAll(() => {
  delete process.env.RUNS_PER_USER_PER_HOUR;
});

async function post(id: string, body: string | Buffer | null, headers: Record<string, string> = {}) {
  const request = new Request(`http://localhost/webhooks/${id}`, { method: "POST", body: body as BodyInit, headers });
  const response = await webhookRoute(request, { params: Promise.resolve({ subscription_id: id }) });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** As senders do: a busy service is asked again. */
async function postUntilAnswered(trigger: TestTrigger, headers: Record<string, string>) {
  for (;;) {
    const answer = await post(trigger.subscriptionId, "{}", headers);
    if (answer.status !== 503) return answer;
  }
}

async function verdicts({ workflowId }: TestTrigger): Promise<string[]> {
  const page = await listDeliveries(workspace.workspaceId, workflowId, { limit: 100 });
  return page.data.map((delivery) => delivery.verdict).reverse();
}

const open = () => addTrigger(workspace, { kind: "webhook" });
const signed = () => addTrigger(workspace, { kind: "webhook", secret: STANDARD_SECRET, scheme: "standard" });

describe("a delivery", () => {
  test("is a run with its job once it is answered, and the workflow sees body and time", async () => {
    const trigger = await open();
    const answer = await post(trigger.subscriptionId, '{"order":{"id":7}}');
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ accepted: true, run_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await runsOf(trigger)).toEqual([
      expect.objectContaining({
        id: answer.body.run_id,
        source: "webhook",
        status: "accepted",
        jobs: 1,
        action_slug: null,
        action_release_version: null,
        subscription_id: trigger.subscriptionId,
        user_id: workspace.userId,
        input: { output: { body: { order: { id: 7 } }, timestamp: expect.stringMatching(/^\d{4}-.*T.*\.\d{3}Z$/) } },
      }),
    ]);
  });

  test.each([
    ["[1,2]", [1, 2]],
    ['"text"', "text"],
    ["0", 0],
    ["null", null],
    [null, null],
    ["", null],
    [' {"a": 1} ', { a: 1 }],
  ])("of %j has the body %j", async (raw, body) => {
    const trigger = await open();
    expect((await post(trigger.subscriptionId, raw)).status).toBe(202);
    const [run] = await runsOf(trigger);
    expect(run.input.output.body).toEqual(body);
  });

  test.each([
    ["not JSON", "a=1&b=2"],
    ["half a document", '{"a":'],
    ["bytes that are no UTF-8", Buffer.from([0x22, 0xff, 0x22])],
    ["NUL", '{"a":"\\u0000"}'],
    ["a number beyond a double", '{"a":1e400}'],
    ["too deep", `${"[".repeat(31)}${"]".repeat(31)}`],
    ["far too deep", "[".repeat(200_000)],
  ])("of %s is a 400 and no run", async (_name, raw) => {
    const trigger = await open();
    const answer = await post(trigger.subscriptionId, raw);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe("BAD_REQUEST");
    expect(await runsOf(trigger)).toEqual([]);
    expect(await verdicts(trigger)).toEqual(["bad_request"]);
  });

  test("of thirty levels is accepted; above 1 MiB it is a 413", async () => {
    const trigger = await open();
    expect((await post(trigger.subscriptionId, `${"[".repeat(30)}${"]".repeat(30)}`)).status).toBe(202);
    const large = `"${"x".repeat(1_048_576 - 2)}"`;
    expect((await post(trigger.subscriptionId, large)).status).toBe(202);
    const answer = await post(trigger.subscriptionId, `${large} `);
    expect([answer.status, answer.body.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  test("keeps no header of the request", async () => {
    const trigger = await signed();
    const headers = { ...signStandard("{}", "msg_h"), authorization: "Bearer topsecret", cookie: "session=topsecret" };
    expect((await post(trigger.subscriptionId, "{}", headers)).status).toBe(202);
    const { rows } = await db().query(
      "select to_jsonb(r)::text as run, to_jsonb(d)::text as delivery from runs r join trigger_deliveries d on d.run_id = r.id where r.workflow_id = $1",
      [trigger.workflowId],
    );
    expect(JSON.stringify(rows)).not.toMatch(/topsecret|v1,/);
  });
});

describe("an address", () => {
  test("that is not known, or not one at all, is a 404", async () => {
    for (const id of ["01890000-0000-7000-8000-000000000000", "x", "../webhooks", "%00", ""]) {
      const answer = await post(id, "{}");
      expect([answer.status, answer.body.code], id).toEqual([404, "NOT_FOUND"]);
    }
  });

  test("of a workflow's id, its version or another trigger kind is a 404", async () => {
    const trigger = await open();
    const schedule = await addTrigger(workspace, { kind: "schedule", mode: "interval", seconds: 60 });
    for (const id of [trigger.workflowId, schedule.subscriptionId, schedule.workflowId]) {
      expect((await post(id, "{}")).status).toBe(404);
    }
  });

  test("stays the same over republishing, and the new version runs at once", async () => {
    const trigger = await open();
    await post(trigger.subscriptionId, "1");
    expect(await republish(workspace, trigger, { kind: "webhook", tolerance_seconds: 60 })).toBe(
      trigger.subscriptionId,
    );
    expect((await post(trigger.subscriptionId, "2")).status).toBe(202);
    const { rows } = await db().query(
      "select v.version from runs r join workflow_versions v on v.id = r.workflow_version_id where r.workflow_id = $1 order by r.created_at",
      [trigger.workflowId],
    );
    expect(rows.map((row) => row.version)).toEqual([1, 2]);
  });

  test("of a paused trigger is a 404 at once and works again when it goes on", async () => {
    const trigger = await open();
    expect((await post(trigger.subscriptionId, "1")).status).toBe(202);
    await setTriggerStatus(editorIn(workspace), trigger.workflowId, "paused");
    expect((await post(trigger.subscriptionId, "2")).status).toBe(404);
    await setTriggerStatus(editorIn(workspace), trigger.workflowId, "active");
    expect((await post(trigger.subscriptionId, "3")).status).toBe(202);
  });

  test("of a deleted workflow is a 404 at once", async () => {
    const trigger = await open();
    expect((await post(trigger.subscriptionId, "1")).status).toBe(202);
    await deleteWorkflow(editorIn(workspace), trigger.workflowId, { archiveAction: false });
    expect((await post(trigger.subscriptionId, "2")).status).toBe(404);
  });

  test("answers other methods with 405 and the one there is", async () => {
    const response = await webhookMethodNotAllowed();
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await response.json()).code).toBe("METHOD_NOT_ALLOWED");
  });
});

describe("a signed webhook", () => {
  test("accepts what its secret signed and refuses the rest, without a run", async () => {
    const trigger = await signed();
    const body = '{"a":1}';
    const good = signStandard(body, "msg_1");
    expect((await post(trigger.subscriptionId, body, good)).status).toBe(202);
    const wrong: [string, Record<string, string>][] = [
      [body, {}],
      [`${body} `, good],
      [body, { ...good, "webhook-id": "msg_2" }],
      [body, { ...good, "webhook-signature": "v1,AAAA" }],
      [body, signStandard(body, "msg_3", Date.now() - 301_000)],
      [body, signStandard(body, "msg_3", Date.now() + 302_000)],
      [body, signStandard(body, "msg_3", Date.now(), "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")],
      // The signature comes before the body: what is not genuine is not read.
      ["not json", {}],
    ];
    for (const [text, headers] of wrong) {
      const answer = await post(trigger.subscriptionId, text, headers);
      expect([answer.status, answer.body.code]).toEqual([401, "INVALID_SIGNATURE"]);
    }
    expect(await runsOf(trigger)).toHaveLength(1);
    expect(await verdicts(trigger)).toEqual(["accepted", ...wrong.map(() => "invalid_signature")]);
  });

  test("whose secret is gone from the row refuses everything", async () => {
    const trigger = await signed();
    await db().query("update trigger_subscriptions set secret_sealed = null where id = $1", [trigger.subscriptionId]);
    expect((await post(trigger.subscriptionId, "{}", signStandard("{}", "msg_1"))).status).toBe(401);
    expect((await post(trigger.subscriptionId, "{}")).status).toBe(401);
  });

  test("whose secret changes takes the new one at once and the old one no more", async () => {
    const trigger = await signed();
    expect((await post(trigger.subscriptionId, "{}", signStandard("{}", "msg_1"))).status).toBe(202);
    const secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    await republish(workspace, trigger, { kind: "webhook", secret });
    expect((await post(trigger.subscriptionId, "{}", signStandard("{}", "msg_2", Date.now(), secret))).status).toBe(
      202,
    );
    expect((await post(trigger.subscriptionId, "{}", signStandard("{}", "msg_3"))).status).toBe(401);
  });

  test("notes no more than a hundred refusals a minute", async () => {
    const trigger = await signed();
    for (let index = 0; index < 105; index += 1) await post(trigger.subscriptionId, "{}");
    const { rows } = await db().query(
      "select count(*)::int as kept from trigger_deliveries where subscription_id = $1",
      [trigger.subscriptionId],
    );
    expect(rows).toEqual([{ kept: 100 }]);
  });
});

describe("a repeated delivery", () => {
  test("a thousand times at once is one run", async () => {
    const trigger = await signed();
    const headers = signStandard("{}", "msg_same");
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => postUntilAnswered(trigger, headers)));
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(999);
    const [run, ...others] = await runsOf(trigger);
    expect(others).toEqual([]);
    expect(run.jobs).toBe(1);
    for (const { status, body } of answers) {
      expect(body).toEqual(
        status === 202 ? { accepted: true, run_id: run.id } : { accepted: false, duplicate: true, run_id: run.id },
      );
    }
  });

  test("is one of the same address only, and only for a day", async () => {
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

  test("without an id is two deliveries", async () => {
    const trigger = await open();
    expect((await post(trigger.subscriptionId, "{}")).status).toBe(202);
    expect((await post(trigger.subscriptionId, "{}")).status).toBe(202);
  });

  test("whose body was refused may come again, mended", async () => {
    const trigger = await open();
    expect((await post(trigger.subscriptionId, "{", { "webhook-id": "msg_1" })).status).toBe(400);
    expect((await post(trigger.subscriptionId, "{}", { "webhook-id": "msg_1" })).status).toBe(202);
  });
});

test("an event that is delivered again brings its real values, not those that are shown", async () => {
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
