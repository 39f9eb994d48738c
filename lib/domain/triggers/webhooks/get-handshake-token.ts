import {
  SELECT_SUBSCRIPTIONS,
  type StoredWebhook,
  SUBSCRIPTION_ROW,
  toSubscription,
} from "#lib/domain/triggers/subscription";
import { handshakeOf } from "#lib/domain/triggers/verification/webhook-rule";
import { workflowNotFound } from "#lib/domain/workflows/workflow-not-found";
import { uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const selectWebhook = defineStatement({
  name: "find_handshake",
  params: { workspaceId: uuid, workflowId: uuid },
  row: SUBSCRIPTION_ROW,
  sql: `${SELECT_SUBSCRIPTIONS} and s.workspace_id = $1 and s.workflow_id = $2 and s.kind = 'webhook'`,
  isPrepared: false,
});

/**
 * Returns the token that a sender brought and that a person must enter at the sender, as Notion asks for; null while there
 * is none, and for senders that have it returned in the response.
 * @throws ApiError NOT_FOUND without an active webhook
 */
export async function getHandshakeToken(workspaceId: string, workflowId: string): Promise<string | null> {
  const row = await selectWebhook.first(db(), { workspaceId, workflowId });
  if (!row) throw workflowNotFound();
  const { config, secret } = toSubscription(row);
  const rule = config as unknown as StoredWebhook;
  const isAsked = rule.brings_secret === true && handshakeOf(rule)?.echo === undefined;
  return isAsked ? secret : null;
}
