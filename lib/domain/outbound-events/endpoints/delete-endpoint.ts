import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { type EndpointReference, getEndpoint, whereEndpoint } from "#lib/domain/outbound-events/endpoints/endpoint-row";
import { prismaTransaction } from "#lib/platform/db/prisma";

/**
 * Deletes an endpoint with its log; undelivered events are dropped.
 * @throws ApiError NOT_FOUND
 */
export async function deleteEndpoint(
  reference: EndpointReference,
  actor: Actor,
): Promise<{ endpoint_id: string; deleted: true }> {
  const { workspaceId, endpointId } = reference;
  return prismaTransaction(async (tx) => {
    const { url } = await getEndpoint(tx.prisma, reference);
    await tx.prisma.eventEndpoint.deleteMany({ where: whereEndpoint(reference) });
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
