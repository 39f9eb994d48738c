import { LIMITS } from "#lib/contract/limits";
import { FORM_MEDIA_TYPE } from "#lib/core/input/read-form";
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
  const { receivedAt } = delivery;
  const event = { ...contentOf(delivery), receivedAt: receivedAt.toISOString(), idPaths };
  if (!isLargeDelivery(delivery)) return readEvent(event);
  return runRequestJob({ kind: "read_event", event }, { workspaceId, bytes: delivery.body.byteLength });
}

/** The query of a GET request is read like a form: it is all that the request says. */
function contentOf({ method, url, headers, body }: Delivery): { body: Buffer; contentType: string | null } {
  if (method !== "GET") return { body, contentType: headers.get("content-type") };
  return { body: Buffer.from(new URL(url).search.slice(1)), contentType: FORM_MEDIA_TYPE };
}

export function isLargeDelivery({ body }: Delivery): boolean {
  return body.byteLength > LIMITS.inlineJsonBytes;
}
