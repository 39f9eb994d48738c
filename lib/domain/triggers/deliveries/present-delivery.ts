import type { DeliveryObject, DeliveryVerdict } from "#lib/contract/trigger/trigger";
import type { JsonObject } from "#lib/contract/wire/json-schema";

export interface DeliveryRow {
  id: string;
  verdict: DeliveryVerdict;
  /** A text if the row was read as JSON. */
  received_at: Date | string;
  request: JsonObject | null;
  run_id: string | null;
}

export function presentDelivery({ id, verdict, received_at, request, run_id }: DeliveryRow): DeliveryObject {
  return {
    delivery_id: id,
    verdict,
    received_at: new Date(received_at).toISOString(),
    detail: typeof request?.detail === "string" ? request.detail : null,
    bytes: typeof request?.bytes === "number" ? request.bytes : null,
    run_id,
  };
}
