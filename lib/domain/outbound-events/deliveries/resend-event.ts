import { ApiError } from "#lib/contract/error/api-error";
import type { EventDeliveryObject } from "#lib/contract/event/outbound-event";
import {
  EVENT_DELIVERY_COLUMNS,
  EVENT_DELIVERY_ROW,
  presentEventDelivery,
} from "#lib/domain/outbound-events/deliveries/delivery-row";
import { uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const requeue = defineStatement({
  name: "resend_event",
  params: { deliveryId: uuid, workspaceId: uuid },
  row: EVENT_DELIVERY_ROW,
  sql: `update event_deliveries d set status = 'pending', attempts = 0, completed_at = null,
          next_attempt_at = clock_timestamp()
        where d.id = $1 and d.workspace_id = $2 returning ${EVENT_DELIVERY_COLUMNS}`,
  isPrepared: false,
});

/**
 * Sends a delivery again now, with the same id, whatever its status. Its retries start again.
 * @throws ApiError NOT_FOUND
 */
export async function resendEvent(workspaceId: string, deliveryId: string): Promise<EventDeliveryObject> {
  const row = await requeue.first(db(), { deliveryId, workspaceId });
  if (!row) throw new ApiError("NOT_FOUND", "There is no such delivery.");
  return presentEventDelivery(row);
}
