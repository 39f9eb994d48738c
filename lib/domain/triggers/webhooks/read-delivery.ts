import { LIMITS } from "#lib/contract/limits";
import { type EventReading, readEvent } from "#lib/core/redaction/read-event";
import type { Delivery } from "#lib/domain/triggers/verification/delivery";
import { runRequestJob } from "#lib/platform/compute/run-request-job";

/**
 * Reads the body of a delivery, a large one in a child process: parsing and sanitizing 1 MiB takes up to 140 ms.
 * @throws ApiError like readEvent and runRequestJob
 */
export async function readDelivery(
  workspaceId: string,
  delivery: Delivery,
  idPaths: string[] = [],
): Promise<EventReading> {
  const { headers, body, receivedAt } = delivery;
  const event = { body, receivedAt: receivedAt.toISOString(), contentType: headers.get("content-type"), idPaths };
  if (!isLargeDelivery(delivery)) return readEvent(event);
  return runRequestJob({ kind: "read_event", event }, { workspaceId, bytes: body.byteLength });
}

export function isLargeDelivery({ body }: Delivery): boolean {
  return body.byteLength > LIMITS.inlineJsonBytes;
}
