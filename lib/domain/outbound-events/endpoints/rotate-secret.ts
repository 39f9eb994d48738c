import type { EndpointWithSecret } from "#lib/contract/event/outbound-event";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { type EndpointReference, getEndpoint, whereEndpoint } from "#lib/domain/outbound-events/endpoints/endpoint-row";
import { replaceSecret } from "#lib/domain/outbound-events/endpoints/signing-secret";
import { bytea, nullable, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { prismaTransaction } from "#lib/platform/db/prisma";

const lockSecret = defineStatement({
  name: "lock_endpoint_secret",
  params: { workspaceId: uuid, endpointId: uuid },
  row: { sealed: nullable(bytea) },
  sql: "select secret_sealed as sealed from event_endpoints where workspace_id = $1 and id = $2 for update",
  isPrepared: false,
});

/**
 * Gives an endpoint a new secret; for a day the old one signs as well.
 * @throws ApiError NOT_FOUND
 */
export async function rotateSecret(reference: EndpointReference, actor: Actor): Promise<EndpointWithSecret> {
  const { workspaceId, endpointId } = reference;
  return prismaTransaction(async (tx) => {
    const endpoint = await getEndpoint(tx.prisma, reference);
    const old = (await lockSecret.first(tx, { workspaceId, endpointId }))?.sealed;
    if (!old) throw new Error(`the endpoint ${endpointId} has no secret`);
    const { secret, sealed } = replaceSecret(workspaceId, endpointId, old, new Date());
    await tx.prisma.eventEndpoint.updateMany({
      where: whereEndpoint(reference),
      data: { secretSealed: sealed, updatedAt: new Date() },
    });
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: "event_endpoint.secret_rotated",
      objectType: "event_endpoint",
      objectId: endpointId,
    });
    return { ...endpoint, secret };
  });
}
