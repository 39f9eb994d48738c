import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import type { EndpointWithSecret, EventType } from "#lib/contract/event/outbound-event";
import { createUser } from "#lib/domain/accounts/create-user";
import { addAction, type TestAction } from "#lib/domain/actions/action.fixture";
import { listEventDeliveries } from "#lib/domain/outbound-events/deliveries/list-deliveries";
import {
  type Received,
  startMailServer,
  startReceiver,
} from "#lib/domain/outbound-events/deliveries/receivers.fixture";
import { resendEvent } from "#lib/domain/outbound-events/deliveries/resend-event";
import { createEndpoint } from "#lib/domain/outbound-events/endpoints/create-endpoint";
import { ensureMailEndpoints } from "#lib/domain/outbound-events/endpoints/ensure-mail-endpoints";
import { listEndpoints } from "#lib/domain/outbound-events/endpoints/list-endpoints";
import { rotateSecret } from "#lib/domain/outbound-events/endpoints/rotate-secret";
import { testEndpoint } from "#lib/domain/outbound-events/endpoints/test-endpoint";
import { updateEndpoint } from "#lib/domain/outbound-events/endpoints/update-endpoint";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { cancelTree } from "#lib/domain/runs/decide/cancel-tree";
import { deliveryOf } from "#lib/domain/triggers/verification/delivery.fixture";
import { verifySignature } from "#lib/domain/triggers/verification/verify-signature";
import { addMember } from "#lib/domain/workspaces/member.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db, transaction } from "#lib/platform/db/pool";
import { prisma } from "#lib/platform/db/prisma";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";
import { startOutboundEvents } from "#worker/chores/outbound-events";

process.env.RUNS_PER_USER_PER_HOUR = "0";
process.env.OUTBOUND_ALLOW = "127.0.0.1";
process.env.PUBLIC_BASE_URL = "https://signalbox.example";

await openTestDatabase();

const ACTOR = { type: "system", id: null, name: "test" } as const;
const [receiver, mail] = [await startReceiver(), await startMailServer()];
process.env.SMTP_URL = mail.url;
process.env.MAIL_FROM = "Signalbox <bot@signalbox.example>";
const outgoing = createOutgoingClient(parseOutboundAllow("127.0.0.1"));
const events = startOutboundEvents(outgoing.send, 50);
afterAll(async () => {
  receiver.close();
  await events.stop();
  await outgoing.close();
  await mail.close();
});

let workspace: TestWorkspace;
let action: TestAction;
beforeEach(async () => {
  workspace = await addWorkspace();
  action = await addAction(workspace, { name: "Refund" });
  receiver.received.length = 0;
  receiver.answer = 204;
  mail.mails.length = 0;
});

const endpointOf = (types: EventType[]): Promise<EndpointWithSecret> =>
  createEndpoint({ ...workspace, actor: ACTOR, url: receiver.url, name: "", events: types });
const referenceOf = ({ endpoint_id: endpointId }: { endpoint_id: string }) => ({
  workspaceId: workspace.workspaceId,
  endpointId,
});

/** Makes a run that ends with this status. */
async function end(status: "succeeded" | "failed", called: TestAction = action): Promise<string> {
  const { run } = await callAction({ workspace, action: called }, { input: { name: "a secret name" } });
  const error = status === "failed" ? { code: "UPSTREAM_ERROR", message: "api.example answered 500" } : null;
  await db().query(
    `update runs set status = $2, error = $3, output = '{"private": "yes"}', started_at = now() - interval '1 second',
       completed_at = now() where id = $1`,
    [run.run_id, status, error],
  );
  return run.run_id;
}

const isGenuine = (secret: string, { headers, body }: Received) =>
  verifySignature(
    { scheme: "standard", secret, algorithm: "sha256", encoding: "hex", tolerance_seconds: 300 },
    deliveryOf({ headers, body }),
  ).isGenuine;
const arrivals = (count: number) => eventually(() => expect(receiver.received.length).toBe(count));
const bodyOf = (index: number) => JSON.parse(String(receiver.received[index]?.body));
const logOf = async (endpoint: EndpointWithSecret) =>
  (await listEventDeliveries(referenceOf(endpoint), { limit: 20 })).data;
const settled = (endpoint: EndpointWithSecret, attempts: number) =>
  eventually(async () => {
    const [latest] = await logOf(endpoint);
    expect(latest?.attempts.length).toBe(attempts);
    return latest;
  });

describe("webhooks", () => {
  test("a failed run is announced once, signed, with ids and links but without its input or output", async () => {
    const endpoint = await endpointOf(["run.failed"]);
    await end("succeeded");
    const runId = await end("failed");
    await arrivals(1);
    const [first] = receiver.received;
    if (!first) return expect.fail();
    expect(isGenuine(endpoint.secret, first)).toBe(true);
    expect(bodyOf(0)).toMatchObject({
      type: "run.failed",
      data: {
        run_id: runId,
        workflow_name: "Refund",
        action_slug: action.slug,
        status: "failed",
        error: { code: "UPSTREAM_ERROR", message: "api.example answered 500" },
        duration_ms: 1_000,
        links: { run: `https://signalbox.example/runs/${runId}` },
      },
    });
    expect(String(first.body)).not.toMatch(/secret name|private/);
    const latest = await settled(endpoint, 1);
    expect(latest).toMatchObject({ status: "succeeded", run_id: runId, attempts: [{ status: 204, error: null }] });
  });

  test("a refused delivery is retried with the same id, and a redirect is not followed", async () => {
    const endpoint = await endpointOf(["run.cancelled"]);
    receiver.answer = 302;
    const { run } = await callAction({ workspace, action });
    await transaction((tx) => cancelTree(tx, [run.run_id], { error: null, actor: ACTOR }));
    const refused = await settled(endpoint, 1);
    expect(refused).toMatchObject({ status: "pending" });
    expect(refused?.attempts[0]?.error).toContain("redirect");
    receiver.answer = 500;
    await db().query("update event_deliveries set next_attempt_at = now() - interval '1 ms' where id = $1", [
      refused?.delivery_id,
    ]);
    await arrivals(2);
    expect(new Set(receiver.received.map(({ headers }) => headers.get("webhook-id")))).toEqual(
      new Set([refused?.event_id]),
    );
    const again = await settled(endpoint, 2);
    expect(again?.attempts[1]).toMatchObject({ status: 500, error: "The endpoint answered 500." });
    // The next attempt is five minutes away.
    expect(Date.parse(again?.next_attempt_at ?? "") - Date.now()).toBeGreaterThan(250_000);
    receiver.answer = 200;
    await resendEvent(workspace.workspaceId, refused?.delivery_id ?? "");
    expect(await settled(endpoint, 3)).toMatchObject({ status: "succeeded", next_attempt_at: null });
  });

  test("an endpoint that fails for days is disabled with its waiting deliveries, and starts fresh when it is enabled", async () => {
    const endpoint = await endpointOf(["run.failed"]);
    await db().query("update event_endpoints set failing_since = now() - interval '6 days' where id = $1", [
      endpoint.endpoint_id,
    ]);
    receiver.answer = 500;
    await end("failed");
    await settled(endpoint, 1);
    const [off] = (await listEndpoints(workspace.workspaceId)).data;
    expect(off).toMatchObject({ is_enabled: false, disabled_reason: "Every delivery failed for 5 days." });
    await end("failed");
    expect((await logOf(endpoint)).map(({ status }) => status)).toEqual(["failed"]);
    const on = await updateEndpoint(referenceOf(endpoint), { isEnabled: true }, ACTOR);
    expect(on).toMatchObject({ is_enabled: true, disabled_reason: null, failing_since: null });
  });

  test("both secrets verify for a day after a rotation, and the stored secret is sealed", async () => {
    const endpoint = await endpointOf(["run.failed"]);
    const { secret } = await rotateSecret(referenceOf(endpoint), ACTOR);
    await testEndpoint(referenceOf(endpoint));
    await arrivals(1);
    const [first] = receiver.received;
    if (!first) return expect.fail();
    expect([endpoint.secret, secret].map((one) => isGenuine(one, first))).toEqual([true, true]);
    expect(bodyOf(0).type).toBe("endpoint.test");
    const { rows } = await db().query("select secret_sealed from event_endpoints where id = $1", [
      endpoint.endpoint_id,
    ]);
    expect(String(rows[0].secret_sealed)).not.toContain(secret.slice(6, 20));
  });

  test("an endpoint that does not answer does not delay other endpoints", async () => {
    const silent = await endpointOf(["run.failed"]);
    await updateEndpoint(referenceOf(silent), { url: receiver.silentUrl }, ACTOR);
    for (let index = 0; index < 10; index += 1) await end("failed");
    const other = await endpointOf(["run.succeeded"]);
    await end("succeeded");
    await arrivals(1);
    expect((await settled(other, 1))?.status).toBe("succeeded");
  });

  test("an endpoint is refused when it is saved if outgoing calls may not reach its address", async () => {
    const request = { ...workspace, actor: ACTOR, name: "", events: ["run.failed"] as EventType[] };
    const refused = createEndpoint({ ...request, url: "http://169.254.169.254/latest" });
    await expect(refused).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("mail", () => {
  const mailed = (count: number) => eventually(() => expect(mail.mails.length).toBe(count));

  test("members who may decide get a mail with the link to the decision, and others do not", async () => {
    const { userId } = await createUser(prisma(), {
      email: `viewer-${action.slug}@test.example`,
      name: "Viewer",
      passwordHash: "-",
    });
    await db().query("insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'viewer')", [
      workspace.workspaceId,
      userId,
    ]);
    await ensureMailEndpoints();
    const held = await addAction(workspace, { name: "Pay out", approvalPolicy: "always" });
    const { run } = await callAction({ workspace, action: held });
    await mailed(1);
    expect(mail.mails[0]?.to).toEqual([expect.stringContaining("owner-")]);
    expect(mail.mails[0]?.text).toContain("Pay out waits for your approval");
    expect(mail.mails[0]?.text).toContain(`https://signalbox.example/approvals/${run.approval?.id}`);
  });

  test("owners and admins get a mail if a key's publish loosens a protection, and other members do not", async () => {
    for (const role of ["admin", "editor", "approver"] as const) await addMember(workspace.workspaceId, role);
    await ensureMailEndpoints();
    await db().query("select emit_event($1, 'action.breaking_change', $2)", [
      workspace.workspaceId,
      {
        workflow_id: action.workflowId,
        workflow_name: "Refund",
        action_slug: "refund",
        version: 4,
        fields: ["order"],
        key_name: "Support bot",
      },
    ]);
    await mailed(2);
    expect(mail.mails.flatMap(({ to }) => to).toSorted()).toEqual([
      expect.stringContaining("admin-"),
      expect.stringContaining("owner-"),
    ]);
    const [{ text } = { text: "" }] = mail.mails;
    expect(text).toContain("Support bot published a breaking change to Refund.");
    expect(text).toContain("Input fields that changed: order.");
    expect(text).toContain(`https://signalbox.example/workflows/${action.workflowId}`);
  });

  test("failures of one workflow within a quarter of an hour are summarized in one more mail", async () => {
    await ensureMailEndpoints();
    await end("failed");
    await mailed(1);
    // Settling the delivery comes last: the group is known, and the delivery is no longer pending.
    await eventually(async () => {
      const sent = "select status from event_deliveries where workspace_id = $1";
      expect((await db().query(sent, [workspace.workspaceId])).rows).toEqual([{ status: "succeeded" }]);
    });
    for (let index = 0; index < 3; index += 1) await end("failed");
    const { rows } = await db().query(
      `select count(*)::int as n, min(next_attempt_at) > now() + interval '14 minutes' as waits from event_deliveries
       where workspace_id = $1 and status = 'pending'`,
      [workspace.workspaceId],
    );
    expect(rows[0]).toEqual({ n: 3, waits: true });
    await db().query(
      "update event_deliveries set next_attempt_at = now() - interval '1 ms' where id = (select id from event_deliveries where workspace_id = $1 and status = 'pending' order by created_at limit 1)",
      [workspace.workspaceId],
    );
    await mailed(2);
    expect(mail.mails[1]?.text).toContain("3 times: Refund failed");
    expect(mail.mails[1]?.text).toContain("UPSTREAM_ERROR: api.example answered 500");
  });

  test("mail that the server refuses is retried", async () => {
    await ensureMailEndpoints();
    const { rows } = await db().query("select email from users where id = $1", [workspace.userId]);
    mail.refuses.add(rows[0].email);
    await end("failed");
    await eventually(async () => {
      const { rows: log } = await db().query(
        "select status, attempt_log -> 0 ->> 'error' as error from event_deliveries where workspace_id = $1",
        [workspace.workspaceId],
      );
      expect(log).toEqual([{ status: "pending", error: expect.stringContaining("no such mailbox") }]);
    });
    expect(mail.mails).toEqual([]);
  });
});
