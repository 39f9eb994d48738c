import { TEST_EVENT } from "#lib/contract/outbound-event";
import { type EndpointReference, getEndpoint } from "#lib/domain/outbound-events/endpoints/endpoint-row";
import { db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

/** Sends a test event to one endpoint, whatever it listens to. @throws ApiError NOT_FOUND */
export async function testEndpoint(reference: EndpointReference): Promise<{ delivery_id: string }> {
  await getEndpoint(db(), reference);
  const id = uuidv7();
  await db().query({
    text: `insert into event_deliveries (id, event_id, workspace_id, endpoint_id, type, data)
           values ($1, $2, $3, $4, $5, '{}')`,
    values: [id, uuidv7(), reference.workspaceId, reference.endpointId, TEST_EVENT],
  });
  return { delivery_id: id };
}
