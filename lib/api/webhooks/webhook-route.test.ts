import { afterAll, describe, expect, test, vi } from "vitest";
import { post } from "#lib/api/webhooks/webhook.fixture";
import { webhookMethodNotAllowed } from "#lib/api/webhooks/webhook-route";
import { LIMITS } from "#lib/contract/limits";
import { inputContext } from "#lib/domain/runs/read/run-row";
import { setTriggerStatus } from "#lib/domain/triggers/activation/set-trigger-status";
import { listDeliveries } from "#lib/domain/triggers/deliveries/list-deliveries";
import {
  addTrigger,
  editorIn,
  republish,
  runsOf,
  STANDARD_SECRET,
  signStandard,
  type TestTrigger,
} from "#lib/domain/triggers/trigger.fixture";
import { deleteWorkflow } from "#lib/domain/workflows/delete-workflow";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { unseal } from "#lib/platform/secrets/seal";

await openTestDatabase();

process.env.RUNS_PER_USER_PER_HOUR = "0";
const workspace = await addWorkspace();
afterAll(() => {
  delete process.env.RUNS_PER_USER_PER_HOUR;
});

async function verdicts({ workflowId }: TestTrigger): Promise<string[]> {
  const page = await listDeliveries(workspace.workspaceId, workflowId, { limit: 100 });
  return page.data.map((delivery) => delivery.verdict).reverse();
}

const open = () => addTrigger(workspace, { kind: "webhook" });
const signed = () => addTrigger(workspace, { kind: "webhook", secret: STANDARD_SECRET, scheme: "standard" });

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

describe("a delivery", () => {
  test("starts a run in the trace of its sender, and ignores an invalid traceparent", async () => {
    const trigger = await open();
    await post(trigger.subscriptionId, "{}", { traceparent: TRACEPARENT });
    await post(trigger.subscriptionId, "{}", { traceparent: "00-0-0-01" });
    await post(trigger.subscriptionId, "{}");
    expect((await runsOf(trigger)).map(({ traceparent }) => traceparent)).toEqual([TRACEPARENT, null, null]);
  });

  test("needs no connection, no credentials and no headers if its trigger has no secret", async () => {
    const trigger = await open();
    const { rows } = await db().query("select * from connections where workspace_id = $1", [workspace.workspaceId]);
    expect(rows).toEqual([]);
    expect((await post(trigger.subscriptionId, '{"order":7}')).status).toBe(202);
    const unasked = { authorization: "Bearer svc_wrong", cookie: "session=1", "x-webhook-signature": "sha256=00" };
    expect((await post(trigger.subscriptionId, '{"order":8}', unasked)).status).toBe(202);
    expect(await runsOf(trigger)).toHaveLength(2);
  });

  test("has a run with a job when it is answered, and the workflow gets the body and the time", async () => {
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
  ])("of %s is a 400 and starts no run", async (_name, raw) => {
    const trigger = await open();
    const answer = await post(trigger.subscriptionId, raw);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe("BAD_REQUEST");
    expect(await runsOf(trigger)).toEqual([]);
    expect(await verdicts(trigger)).toEqual(["bad_request"]);
  });

  test.each([
    ['{"id":8202522731445525542,"list":[9007199254740993,1]}', {}],
    ["payload=%7B%22id%22%3A8202522731445525542%2C%22list%22%3A%5B9007199254740993%2C1%5D%7D", FORM],
  ])("with integers beyond 2^53 keeps their digits as texts: %s", async (raw, headers) => {
    const trigger = await open();
    expect((await post(trigger.subscriptionId, raw, headers)).status).toBe(202);
    const [run] = await runsOf(trigger);
    expect(run.input).toMatchObject({
      output: { body: { id: "8202522731445525542", list: ["9007199254740993", 1] } },
      numbers_as_text: ["trigger.output.body.id", "trigger.output.body.list[0]"],
    });
  });

  test("with thirty levels of nesting is accepted; above 1 MiB or 200,000 values it is a 413", async () => {
    const trigger = await open();
    expect((await post(trigger.subscriptionId, `${"[".repeat(30)}${"]".repeat(30)}`)).status).toBe(202);
    const large = `"${"x".repeat(1_048_576 - 2)}"`;
    expect((await post(trigger.subscriptionId, large)).status).toBe(202);
    const answer = await post(trigger.subscriptionId, `${large} `);
    expect([answer.status, answer.body.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    const many = await post(trigger.subscriptionId, `[${"[],".repeat(200_000)}0]`);
    expect([many.status, many.body.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  test("of 1 MiB is parsed in another process, and arrives exactly as it was sent", async () => {
    const trigger = await open();
    const lines = Array.from({ length: 12_000 }, (_, id) => ({ id, name: `Zoë ${id}`, mail: "ann@example.com" }));
    const parse = vi.spyOn(JSON, "parse");
    const answer = await post(trigger.subscriptionId, JSON.stringify({ lines, last: "\ud83d\ude00 \\u0000" }));
    const parsedHere = parse.mock.calls.filter(([text]) => text.length > LIMITS.inlineJsonBytes);
    parse.mockRestore();
    expect([answer.status, parsedHere]).toEqual([202, []]);
    const [run] = await runsOf(trigger);
    const redacted = lines.map((line) => ({ ...line, mail: "[REDACTED_EMAIL]" }));
    expect(run.input.output.body).toEqual({ lines: redacted, last: "\ud83d\ude00 \\u0000" });
    const { rows } = await db().query("select id, input_sealed from runs where id = $1", [run.id]);
    const sealed = unseal<typeof run.input>(workspace.workspaceId, inputContext(run.id), rows[0].input_sealed);
    expect(sealed.output.body.lines).toEqual(lines);
  });

  test.each([
    ["not JSON", `{"a":"${"x".repeat(300_000)}"`],
    ["NUL", `["${"x".repeat(300_000)}","\\u0000"]`],
    ["too deep", `["${"x".repeat(300_000)}",${"[".repeat(30)}${"]".repeat(30)}]`],
  ])("of 300 KB that is %s is a 400 with the same words as a small one, and is logged", async (_name, raw) => {
    const trigger = await open();
    const answer = await post(trigger.subscriptionId, raw);
    const small = await post(trigger.subscriptionId, raw.replace("x".repeat(300_000), ""));
    expect([answer.status, answer.body]).toEqual([400, small.body]);
    expect(await verdicts(trigger)).toEqual(["bad_request", "bad_request"]);
  });

  test("of 300 KB that repeats an id in its body is a duplicate", async () => {
    const trigger = await open();
    const body = JSON.stringify({ id: "evt_1", filler: "x".repeat(300_000) });
    const first = await post(trigger.subscriptionId, body, { "stripe-signature": "unchecked" });
    const second = await post(trigger.subscriptionId, body, { "stripe-signature": "unchecked" });
    expect(second.body).toEqual({ accepted: false, duplicate: true, run_id: first.body.run_id });
  });

  test("stores no header of the request", async () => {
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
  test("that is unknown or malformed is a 404", async () => {
    for (const id of ["01890000-0000-7000-8000-000000000000", "x", "../webhooks", "%00", ""]) {
      const answer = await post(id, "{}");
      expect([answer.status, answer.body.code], id).toEqual([404, "NOT_FOUND"]);
    }
  });

  test("with the id of a workflow, a version or a trigger of another kind is a 404", async () => {
    const trigger = await open();
    const schedule = await addTrigger(workspace, { kind: "schedule", mode: "interval", seconds: 60 });
    for (const id of [trigger.workflowId, schedule.subscriptionId, schedule.workflowId]) {
      expect((await post(id, "{}")).status).toBe(404);
    }
  });

  test("stays the same after republishing, and starts the new version at once", async () => {
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

  test("of a paused trigger is a 404 at once and works again after resuming", async () => {
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

  test("answers other methods with 405 and names POST", async () => {
    const response = await webhookMethodNotAllowed();
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await response.json()).code).toBe("METHOD_NOT_ALLOWED");
  });
});

describe("a signed webhook", () => {
  test("is accepted if its secret signed it, and refused without a run otherwise", async () => {
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
      // The signature is checked before the body: an unsigned body is not parsed.
      ["not json", {}],
    ];
    for (const [text, headers] of wrong) {
      const answer = await post(trigger.subscriptionId, text, headers);
      expect([answer.status, answer.body.code]).toEqual([401, "INVALID_SIGNATURE"]);
    }
    expect(await runsOf(trigger)).toHaveLength(1);
    expect(await verdicts(trigger)).toEqual(["accepted", ...wrong.map(() => "invalid_signature")]);
  });

  test("is refused if its row has lost the secret", async () => {
    const trigger = await signed();
    await db().query("update trigger_subscriptions set secret_sealed = null where id = $1", [trigger.subscriptionId]);
    expect((await post(trigger.subscriptionId, "{}", signStandard("{}", "msg_1"))).status).toBe(401);
    expect((await post(trigger.subscriptionId, "{}")).status).toBe(401);
  });

  test("is accepted with a new secret at once, and no longer with the old one", async () => {
    const trigger = await signed();
    expect((await post(trigger.subscriptionId, "{}", signStandard("{}", "msg_1"))).status).toBe(202);
    const secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    await republish(workspace, trigger, { kind: "webhook", secret });
    expect((await post(trigger.subscriptionId, "{}", signStandard("{}", "msg_2", Date.now(), secret))).status).toBe(
      202,
    );
    expect((await post(trigger.subscriptionId, "{}", signStandard("{}", "msg_3"))).status).toBe(401);
  });

  test("writes at most a hundred refusals per minute to the log of deliveries", async () => {
    const trigger = await signed();
    for (let index = 0; index < 105; index += 1) await post(trigger.subscriptionId, "{}");
    const { rows } = await db().query(
      "select count(*)::int as kept from trigger_deliveries where subscription_id = $1",
      [trigger.subscriptionId],
    );
    expect(rows).toEqual([{ kept: 100 }]);
  });
});
