import { ApiError } from "#lib/contract/api-error";
import type { JsonObject } from "#lib/contract/json-schema";
import { inputContext } from "#lib/domain/journal/checkpoints/sealed-contexts";
import { acceptEvent } from "#lib/domain/triggers/deliveries/accept-event";
import { SELECT_SUBSCRIPTIONS, type SubscriptionRow, toSubscription } from "#lib/domain/triggers/subscription";
import { db } from "#lib/platform/db/pool";
import { unseal } from "#lib/platform/secrets/seal";

interface RedeliverRow extends SubscriptionRow {
  run_source: "webhook" | "schedule";
  run_id: string;
  input: JsonObject;
  input_sealed: Buffer | null;
}

/**
 * Starts what is deployed now with an event that was accepted before, exactly as it came: a run of its own, which counts
 * like any event's.
 * @throws ApiError NOT_FOUND, BAD_REQUEST where the event is not kept or the trigger is paused
 */
export async function redeliverEvent(workspaceId: string, deliveryId: string): Promise<{ run_id: string }> {
  const deliveries = await db().query<{ subscription_id: string; run_id: string | null }>({
    text: `select subscription_id, run_id from trigger_deliveries where workspace_id = $1 and id = $2`,
    values: [workspaceId, deliveryId],
  });
  const delivery = deliveries.rows[0];
  if (!delivery) throw new ApiError("NOT_FOUND", "There is no such delivery.");
  if (delivery.run_id === null) throw new ApiError("BAD_REQUEST", "What was delivered is not kept.");
  const { rows } = await db().query<RedeliverRow>({
    text: `select s.*, r.id as run_id, r.source as run_source, r.input, r.input_sealed
           from (${SELECT_SUBSCRIPTIONS} and s.id = $1) s join runs r on r.id = $2 and r.workspace_id = s.workspace_id`,
    values: [delivery.subscription_id, delivery.run_id],
  });
  const row = rows[0];
  if (!row) throw new ApiError("BAD_REQUEST", "The trigger is paused: let it go on first.");
  const accepted = await acceptEvent({
    subscription: toSubscription(row),
    source: row.run_source,
    output: eventOf(row),
    dedupeKey: null,
    facts: { detail: `delivered again: ${deliveryId}` },
  });
  if (accepted.outcome === "accepted") return { run_id: accepted.runId };
  throw new ApiError("concurrent_change", "The workflow is being changed. Try again.", { retryAfterSeconds: 1 });
}

/** The event as it came, not as it is shown. */
function eventOf(row: RedeliverRow): JsonObject {
  if (!row.input_sealed) return row.input.output as JsonObject;
  try {
    return unseal<JsonObject>(row.workspace_id, inputContext(row.run_id), row.input_sealed).output as JsonObject;
  } catch (cause) {
    throw new ApiError("BAD_REQUEST", "What was delivered is not kept.", { cause });
  }
}
