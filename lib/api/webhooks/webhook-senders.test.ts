import { afterAll, describe, expect, test } from "vitest";
import { request } from "#lib/api/webhooks/webhook.fixture";
import { addTrigger, runsOf } from "#lib/domain/triggers/trigger.fixture";
import { otherBodies, SAMPLED_SENDERS, sendAs } from "#lib/domain/triggers/verification/send-as.fixture";
import { SENDER_SAMPLES } from "#lib/domain/triggers/verification/sender-samples.fixture";
import { chosenVerification } from "#lib/domain/triggers/verification/webhook-rule";
import { webhookUrl } from "#lib/domain/workflows/webhook-url";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

process.env.RUNS_PER_USER_PER_HOUR = "0";
const workspace = await addWorkspace();
afterAll(() => {
  delete process.env.RUNS_PER_USER_PER_HOUR;
});

const RULE = { algorithm: "sha256", encoding: "hex", tolerance_seconds: 300 } as const;
const now = () => Math.floor(Date.now() / 1_000);

describe.each(SAMPLED_SENDERS)("%s", (scheme) => {
  test("starts one run with its event, none for the same delivery sent again, and none if it is forged", async () => {
    const { secret } = SENDER_SAMPLES[scheme];
    // Taken once: the id of a sample can depend on its time, and the test can last longer than a second.
    const at = now();
    const trigger = await addTrigger(workspace, { kind: "webhook", scheme, secret });
    const send = async ({ instead, ...change }: { secret?: string; body?: string; instead?: string } = {}) => {
      const { url, headers, body } = await sendAs(scheme, webhookUrl(trigger.subscriptionId), { at, ...change });
      const { status, text } = await request("POST", url, { headers, body: instead ?? body });
      return { status, body: JSON.parse(text) };
    };
    const first = await send();
    expect(first).toEqual({ status: 202, body: { accepted: true, run_id: expect.any(String) } });
    const again = await send({ body: otherBodies(scheme).again });
    const verification = chosenVerification({ ...RULE, scheme });
    const meansEach = verification?.delivery_id === "none";
    expect(again).toEqual(
      meansEach
        ? { status: 202, body: { accepted: true, run_id: expect.any(String) } }
        : { status: 200, body: { accepted: false, duplicate: true, run_id: first.body.run_id } },
    );
    const { other } = otherBodies(scheme);
    const isSharedSecret = verification?.type !== "public_key" && scheme !== "plaid";
    const forged = await send(
      isSharedSecret ? { secret: `${secret.slice(0, -2)}AB`, body: other } : { instead: other },
    );
    expect([forged.status, forged.body.code]).toEqual([401, "INVALID_SIGNATURE"]);
    const [run, ...others] = await runsOf(trigger);
    expect(others).toHaveLength(meansEach ? 1 : 0);
    expect(run.input.output.body).toBeInstanceOf(Object);
    const { rows } = await db().query(
      `select to_jsonb(r)::text || coalesce((select string_agg(to_jsonb(d)::text, '') from trigger_deliveries d
         where d.subscription_id = r.subscription_id), '') as stored from runs r where r.id = $1`,
      [run.id],
    );
    expect(rows[0].stored).not.toContain(secret);
  });
});
