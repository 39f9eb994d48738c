import { ApiError } from "#lib/contract/api-error";
import type { EventDeliveryObject } from "#lib/contract/outbound-event";
import {
  DELIVERY_COLUMNS,
  type EventDeliveryRow,
  presentEventDelivery,
} from "#lib/domain/outbound-events/deliveries/delivery-row";
import { db } from "#lib/platform/db/pool";

/**
 * Sends a delivery again, now, with the same id, whatever became of it. Its retries begin anew.
 * @throws ApiError NOT_FOUND
 */
export async function resendEvent(workspaceId: string, deliveryId: string): Promise<EventDeliveryObject> {
  const { rows } = await db().query<EventDeliveryRow>({
    text: `update event_deliveries d set status = 'pending', attempts = 0, completed_at = null,
             next_attempt_at = clock_timestamp()
           where d.id = $1 and d.workspace_id = $2 returning ${DELIVERY_COLUMNS}`,
    values: [deliveryId, workspaceId],
  });
  const [row] = rows;
  if (!row) throw new ApiError("NOT_FOUND", "There is no such delivery.");
  return presentEventDelivery(row);
}
