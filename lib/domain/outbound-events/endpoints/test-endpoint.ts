import { TEST_EVENT } from "#lib/contract/event/outbound-event";
import { type EndpointReference, getEndpoint } from "#lib/domain/outbound-events/endpoints/endpoint-row";
import { prisma } from "#lib/platform/db/prisma";
import { uuidv7 } from "#lib/support/ids";

/**
 * Sends a test event to one endpoint, whatever it listens to.
 * @throws ApiError NOT_FOUND
 */
export async function testEndpoint(reference: EndpointReference): Promise<{ delivery_id: string }> {
  await getEndpoint(prisma(), reference);
  const id = uuidv7();
  await prisma().eventDelivery.create({ data: { ...reference, id, eventId: uuidv7(), type: TEST_EVENT, data: {} } });
  return { delivery_id: id };
}
