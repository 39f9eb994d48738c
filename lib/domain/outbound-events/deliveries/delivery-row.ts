import type { JsonObject } from "#lib/contract/json-schema";
import type { EventAttempt, EventDeliveryObject } from "#lib/contract/outbound-event";

export interface EventDeliveryRow {
  id: string;
  event_id: string;
  type: EventDeliveryObject["type"];
  data: JsonObject;
  status: EventDeliveryObject["status"];
  attempt_log: EventAttempt[];
  next_attempt_at: Date;
  created_at: Date;
}

export const DELIVERY_COLUMNS =
  "d.id, d.event_id, d.type, d.data, d.status, d.attempt_log, d.next_attempt_at, d.created_at";

export function presentEventDelivery(row: EventDeliveryRow): EventDeliveryObject {
  return {
    delivery_id: row.id,
    event_id: row.event_id,
    type: row.type,
    status: row.status,
    run_id: typeof row.data.run_id === "string" ? row.data.run_id : null,
    attempts: row.attempt_log,
    next_attempt_at: row.status === "pending" ? row.next_attempt_at.toISOString() : null,
    created_at: row.created_at.toISOString(),
  };
}
