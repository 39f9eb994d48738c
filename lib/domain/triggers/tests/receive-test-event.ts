import { ApiError } from "#lib/contract/error/api-error";
import type { Definition } from "#lib/contract/workflow/graph";
import { eventText } from "#lib/core/redaction/read-event";
import { sanitize } from "#lib/core/redaction/sanitize";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { MISSING_SECRET, SEALED_PREFIX, triggerConfig, type WebhookConfig } from "#lib/core/steps/trigger/trigger-data";
import { eventTestContext } from "#lib/domain/triggers/tests/event-test";
import { type Delivery, valuesOf } from "#lib/domain/triggers/verification/delivery";
import { verifyReceived } from "#lib/domain/triggers/verification/verify-received";
import { chosenVerification } from "#lib/domain/triggers/verification/webhook-rule";
import { answerChallenge, type WebhookResponse } from "#lib/domain/triggers/webhooks/answer-challenge";
import { assertMethod } from "#lib/domain/triggers/webhooks/assert-method";
import { confirmAddress } from "#lib/domain/triggers/webhooks/confirm-address";
import { decodeDelivery } from "#lib/domain/triggers/webhooks/decode-delivery";
import { readDelivery } from "#lib/domain/triggers/webhooks/read-delivery";
import { readHandshake } from "#lib/domain/triggers/webhooks/shake-hands";
import { bytea, json, type RowOf, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { sealJson } from "#lib/platform/secrets/seal";
import { openText } from "#lib/platform/secrets/seal-text";
import { UUID_PATTERN } from "#lib/support/ids";
import { parseGiven } from "#lib/support/leave-out-nulls";

const LISTENING_ROW = { workspace_id: uuid, draft: json<Definition>() };
type ListeningRow = RowOf<typeof LISTENING_ROW>;

const selectListening = defineStatement({
  name: "find_listening_test",
  params: { testId: uuid },
  row: LISTENING_ROW,
  sql: `select t.workspace_id, w.draft from webhook_tests t
        join workflows w on w.workspace_id = t.workspace_id and w.id = t.workflow_id and w.deleted_at is null
        where t.id = $1 and t.listens_until > now()`,
  isPrepared: false,
});

const writeEvent = defineStatement({
  name: "receive_test_event",
  params: { testId: uuid, sealed: bytea, receivedAt: timestamptz },
  sql: `update webhook_tests set event_sealed = $2, received_at = $3, listens_until = null, problem = null
        where id = $1 and listens_until > now()`,
  isPrepared: false,
});

const writeProblem = defineStatement({
  name: "refuse_test_event",
  params: { testId: uuid, problem: text },
  sql: "update webhook_tests set problem = $2 where id = $1 and listens_until > now()",
  isPrepared: false,
});

/**
 * Receives the delivery that a person at the canvas waits for. It is accepted once, by the rules of the draft's trigger
 * as saved, and shown to that person. It starts no run and is not logged. A refusal is reported to both sides, and the
 * canvas keeps waiting.
 * @throws ApiError NOT_FOUND while no one listens, METHOD_NOT_ALLOWED, INVALID_SIGNATURE, BAD_REQUEST
 */
export async function receiveTestEvent(
  testId: string,
  received: Delivery,
): Promise<{ accepted: true; test: true } | WebhookResponse> {
  const listening = await findListening(testId, received.method);
  try {
    const webhook = readWebhook(listening.draft);
    const delivery = decodeDelivery(received);
    const early = answerTestCheck(webhook, delivery, { secret: "", isVerified: false });
    if (early) return early;
    assertMethod(webhook.methods, delivery.method);
    const secret = await assertGenuine(listening.workspace_id, webhook, delivery, received);
    const proof = { secret: secret ?? "", isVerified: true };
    const response =
      answerTestCheck(webhook, delivery, proof) ??
      (secret === null ? null : await confirmAddress(chosenVerification(webhook), valuesOf(delivery)));
    if (response) return response;
    const { workspace_id: workspaceId } = listening;
    const { input } = await readDelivery(workspaceId, delivery);
    const sealed = sealJson(workspaceId, eventTestContext(testId), eventText(input));
    const written = await writeEvent.run(db(), { testId, sealed, receivedAt: delivery.receivedAt });
    if (written !== 1) throw nobodyListens();
    return { accepted: true, test: true };
  } catch (error) {
    const isTold = error instanceof ApiError && error.code !== "NOT_FOUND";
    if (isTold) {
      const problem = error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
      await writeProblem.run(db(), { testId, problem: sanitize(problem) });
    }
    throw error;
  }
}

async function findListening(testId: string, method: string): Promise<ListeningRow> {
  const row = UUID_PATTERN.test(testId) ? await selectListening.first(db(), { testId }) : null;
  if (row) return row;
  assertMethod(null, method);
  throw nobodyListens();
}

function nobodyListens(): ApiError {
  const message = "No one is listening for a test event here. Start listening on the canvas, then send it again.";
  return new ApiError("NOT_FOUND", message);
}

/**
 * A sender may check the test address like any other; the canvas keeps waiting for an event. A secret that has to be returned
 * is not kept: events at this address are unsigned until the draft has one.
 */
function answerTestCheck(
  webhook: WebhookConfig,
  delivery: Delivery,
  proof: { secret: string; isVerified: boolean },
): WebhookResponse | null {
  const verification = chosenVerification(webhook);
  const values = valuesOf(delivery);
  const shake = proof.isVerified || webhook.secret ? null : readHandshake(webhook, values);
  if (shake?.response.headers["x-hook-secret"]) return shake.response;
  return verification && answerChallenge(verification, values, proof);
}

/** @returns the secret that verified the delivery; null if the trigger has none */
async function assertGenuine(
  workspaceId: string,
  webhook: WebhookConfig,
  delivery: Delivery,
  received: Delivery,
): Promise<string | null> {
  const { secret, ...rule } = webhook;
  if (!secret) return null;
  const opened = secret.startsWith(SEALED_PREFIX) ? openText(workspaceId, secret) : typedSecret(secret);
  const verdict =
    opened === null
      ? { isGenuine: false as const, reason: "the secret cannot be read here; set it again" }
      : await verifyReceived({ ...rule, secret: opened }, delivery, received);
  if (verdict.isGenuine) return opened;
  // The reason is for the workflow's editor; the caller does not see it.
  const cause = new Error(verdict.reason);
  throw new ApiError("INVALID_SIGNATURE", "The signature is missing, wrong or too old.", { cause });
}

/** A mask in place of a secret that an export left out proves nothing. */
function typedSecret(secret: string): string | null {
  return secret === MISSING_SECRET ? null : secret;
}

function readWebhook(draft: Definition): WebhookConfig {
  const node = draft.nodes.find(({ type }) => STEP_KINDS[type].starts === "event_driven");
  const parsed = parseGiven(triggerConfig, node?.data);
  if (parsed.success && parsed.data.kind === "webhook") return parsed.data;
  throw new ApiError("BAD_REQUEST", "The draft's webhook trigger is missing or incomplete.");
}
