import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { type EndpointReference, getEndpoint } from "#lib/domain/outbound-events/endpoints/endpoint-row";
import { uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/transaction";

const deleteRow = defineStatement({
  name: "delete_event_endpoint",
  params: { endpointId: uuid },
  sql: "delete from event_endpoints where id = $1",
  isPrepared: false,
});

/** Deletes an endpoint with its log; what was not delivered yet is not. @throws ApiError NOT_FOUND */
export async function deleteEndpoint(
  reference: EndpointReference,
  actor: Actor,
): Promise<{ endpoint_id: string; deleted: true }> {
  const { workspaceId, endpointId } = reference;
  return transaction(async (tx) => {
    const { url } = await getEndpoint(tx, reference);
    await deleteRow.run(tx, { endpointId });
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: "event_endpoint.deleted",
      objectType: "event_endpoint",
      objectId: endpointId,
      details: { url },
    });
    return { endpoint_id: endpointId, deleted: true };
  });
}
