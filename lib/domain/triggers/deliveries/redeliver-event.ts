import { ApiError } from "#lib/contract/error/api-error";
import type { PreparedInput } from "#lib/core/redaction/sanitize";
import { inputContext } from "#lib/domain/runs/read/run-row";
import { acceptEvent, EVENT_SOURCES } from "#lib/domain/triggers/deliveries/accept-event";
import { SELECT_SUBSCRIPTIONS, SUBSCRIPTION_ROW, toSubscription } from "#lib/domain/triggers/subscription";
import { boolean, bytea, enumOf, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { prisma } from "#lib/platform/db/prisma";
import { unsealJson } from "#lib/platform/secrets/seal";

const DELIVERED_EVENT = {
  ...SUBSCRIPTION_ROW,
  run_id: uuid,
  run_source: enumOf(EVENT_SOURCES),
  input: text,
  keeps_key_order: boolean,
  input_sealed: nullable(bytea),
};

const findDelivered = defineStatement({
  name: "find_delivered_event",
  params: { subscriptionId: uuid, runId: uuid },
  row: DELIVERED_EVENT,
  sql: `select s.*, r.id as run_id, r.source as run_source, coalesce(r.input_written::text, r.input::text) as input,
          r.input_written is null as keeps_key_order, r.input_sealed
        from (${SELECT_SUBSCRIPTIONS} and s.id = $1) s join runs r on r.id = $2 and r.workspace_id = s.workspace_id`,
  isPrepared: false,
});

/**
 * Starts the deployed version with an event that was accepted before, exactly as it arrived. The run is a new one and
 * counts like any event's.
 * @throws ApiError NOT_FOUND; BAD_REQUEST if the event is no longer stored or the trigger is paused; RATE_LIMIT_EXCEEDED,
 * QUOTA_EXCEEDED
 */
export async function redeliverEvent(workspaceId: string, deliveryId: string): Promise<{ run_id: string }> {
  const delivery = await prisma().triggerDelivery.findFirst({
    where: { id: deliveryId, workspaceId },
    select: { subscriptionId: true, runId: true },
  });
  if (!delivery) throw new ApiError("NOT_FOUND", "There is no such delivery.");
  const { subscriptionId, runId } = delivery;
  if (runId === null) throw new ApiError("BAD_REQUEST", "This event is no longer stored.");
  const row = await findDelivered.first(db(), { subscriptionId, runId });
  if (!row) throw new ApiError("BAD_REQUEST", "The trigger is paused. Resume it first.");
  const accepted = await acceptEvent({
    subscription: toSubscription(row),
    source: row.run_source,
    input: inputOf(row),
    dedupeKey: null,
    facts: { detail: `delivered again: ${deliveryId}` },
    overLimit: "refuse",
  });
  if (accepted.outcome === "accepted") return { run_id: accepted.runId };
  throw new ApiError("concurrent_change", "The workflow is being changed. Try again.", { retryAfterSeconds: 1 });
}

/** Returns the input of the event's run, with the event as it arrived. */
function inputOf(row: RowOf<typeof DELIVERED_EVENT>): PreparedInput {
  const { input: shown, keeps_key_order: keepsKeyOrder, input_sealed: sealed } = row;
  if (sealed === null) return { shown, keepsKeyOrder, original: null };
  try {
    return { shown, keepsKeyOrder, original: unsealJson(row.workspace_id, inputContext(row.run_id), sealed) };
  } catch (cause) {
    throw new ApiError("BAD_REQUEST", "This event is no longer stored.", { cause });
  }
}
