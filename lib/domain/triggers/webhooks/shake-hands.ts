import { type StoredWebhook, type Subscription, secretContext } from "#lib/domain/triggers/subscription";
import type { DeliveryValues } from "#lib/domain/triggers/verification/delivery";
import { handshakeOf, type WebhookRule } from "#lib/domain/triggers/verification/webhook-rule";
import type { WebhookResponse } from "#lib/domain/triggers/webhooks/answer-challenge";
import { bytea, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { seal } from "#lib/platform/secrets/seal";

/** Anyone may bring the first one. */
const MAX_BROUGHT = 500;

const keepSecret = defineStatement({
  name: "keep_handshake_secret",
  params: { id: uuid, versionId: uuid, sealed: bytea },
  sql: `update trigger_subscriptions s set secret_sealed = $3, updated_at = now()
        from workflow_versions v
        where s.id = $1 and s.is_active and s.secret_sealed is null
          and v.workflow_id = s.workflow_id and v.status = 'deployed' and v.id = $2`,
  isPrepared: false,
});

/**
 * Keeps the secret that a sender brings before its first event. The first one counts; every later delivery is verified
 * with it.
 * @returns null if the delivery brings none, or another one arrived first
 */
export async function shakeHands(subscription: Subscription, values: DeliveryValues): Promise<WebhookResponse | null> {
  const { id, workspaceId, versionId } = subscription;
  const rule = subscription.config as unknown as StoredWebhook;
  if (rule.brings_secret !== true || subscription.secret !== null) return null;
  const shake = readHandshake(rule, values);
  if (shake === null) return null;
  const sealed = seal(workspaceId, secretContext(id), shake.secret);
  return (await keepSecret.run(db(), { id, versionId, sealed })) === 1 ? shake.response : null;
}

/** Returns the secret that a request brings, and the response that the sender expects; null if it brings none. */
export function readHandshake(
  rule: Pick<WebhookRule, "scheme">,
  values: DeliveryValues,
): { secret: string; response: WebhookResponse } | null {
  const handshake = handshakeOf(rule);
  const secret = handshake && values.delivery.method === "POST" ? values.one(handshake.secret) : null;
  if (!handshake || !secret || secret.length > MAX_BROUGHT) return null;
  const headers: Record<string, string> = {};
  if (handshake.echo !== undefined) headers[handshake.echo] = secret;
  return { secret, response: { status: 200, headers, body: "" } };
}
