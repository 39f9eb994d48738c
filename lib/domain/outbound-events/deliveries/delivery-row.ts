import {
  EVENT_DELIVERY_STATUSES,
  EVENT_TYPES,
  type EventAttempt,
  type EventDeliveryObject,
  TEST_EVENT,
} from "#lib/contract/event/outbound-event";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { enumOf, jsonb, type RowOf, timestamptz, uuid } from "#lib/platform/db/column-types";

export const EVENT_DELIVERY_ROW = {
  id: uuid,
  event_id: uuid,
  type: enumOf([...EVENT_TYPES, TEST_EVENT]),
  data: jsonb<JsonObject>(),
  status: enumOf(EVENT_DELIVERY_STATUSES),
  attempt_log: jsonb<EventAttempt[]>(),
  next_attempt_at: timestamptz,
  created_at: timestamptz,
};

export const EVENT_DELIVERY_COLUMNS =
  "d.id, d.event_id, d.type, d.data, d.status, d.attempt_log, d.next_attempt_at, d.created_at";

export function presentEventDelivery(row: RowOf<typeof EVENT_DELIVERY_ROW>): EventDeliveryObject {
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
