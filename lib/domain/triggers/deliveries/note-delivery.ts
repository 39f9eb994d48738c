import { LIMITS } from "#lib/contract/limits";
import type { DeliveryVerdict } from "#lib/contract/trigger/trigger";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { sanitize } from "#lib/core/redaction/sanitize";
import type { Subscription } from "#lib/domain/triggers/subscription";
import { log } from "#lib/platform/config/log";
import { integer, jsonbText } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";
import { storableJson } from "#lib/support/json";

const callNoteDelivery = defineStatement({
  name: "note_delivery",
  params: { delivery: jsonbText, refusedPerMinute: integer },
  sql: `select set_config('synchronous_commit', 'off', true),
          note_delivery(jsonb_populate_record(null::trigger_deliveries, $1), $2)`,
});

/**
 * Writes refused or missed deliveries to the delivery log, a bounded number a minute. The answer to the sender does not
 * depend on it: if the log cannot be written, the process log records that.
 */
export async function noteDelivery(
  subscription: Pick<Subscription, "id" | "workspaceId">,
  verdict: Exclude<DeliveryVerdict, "accepted">,
  facts: JsonObject,
  tx: Db = db(),
): Promise<void> {
  const delivery = {
    id: uuidv7(),
    subscription_id: subscription.id,
    workspace_id: subscription.workspaceId,
    verdict,
    request: sanitize(facts),
  };
  try {
    await callNoteDelivery.run(tx, {
      delivery: storableJson(delivery),
      refusedPerMinute: LIMITS.refusedDeliveriesPerMinute,
    });
  } catch (error) {
    log.warn({ err: error, subscription: subscription.id, verdict }, "a delivery could not be logged");
  }
}
