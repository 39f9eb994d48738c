import { LIMITS } from "#lib/contract/limits";
import { type EventReading, readEvent } from "#lib/core/redaction/read-event";
import { bodyIdField } from "#lib/domain/triggers/deliveries/delivery-id";
import type { Delivery } from "#lib/domain/triggers/webhooks/verify-signature";
import { runRequestJob } from "#lib/platform/compute/run-request-job";

/**
 * Reads the body of a delivery, a large one in a child process: parsing and sanitizing 1 MiB takes up to 140 ms.
 * @throws ApiError like readEvent and runRequestJob
 */
export async function readDelivery(workspaceId: string, delivery: Delivery): Promise<EventReading> {
  const { headers, body, receivedAt } = delivery;
  const event = { body, receivedAt: receivedAt.toISOString(), idField: bodyIdField(headers) };
  if (!isLargeDelivery(delivery)) return readEvent(event);
  return runRequestJob({ kind: "read_event", event }, { workspaceId, bytes: body.byteLength });
}

export function isLargeDelivery({ body }: Delivery): boolean {
  return body.byteLength > LIMITS.inlineJsonBytes;
}
