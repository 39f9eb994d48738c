import type { EndpointWithSecret } from "#lib/contract/outbound-event";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { type EndpointReference, getEndpoint } from "#lib/domain/outbound-events/endpoints/endpoint-row";
import { replaceSecret } from "#lib/domain/outbound-events/endpoints/signing-secret";
import { bytea, nullable, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/transaction";

const lockSecret = defineStatement({
  name: "lock_endpoint_secret",
  params: { endpointId: uuid },
  row: { sealed: nullable(bytea) },
  sql: "select secret_sealed as sealed from event_endpoints where id = $1 for update",
  isPrepared: false,
});

const writeSecret = defineStatement({
  name: "write_endpoint_secret",
  params: { endpointId: uuid, sealed: bytea },
  sql: "update event_endpoints set secret_sealed = $2, updated_at = now() where id = $1",
  isPrepared: false,
});

/**
 * Gives an endpoint another secret; for a day the old one signs as well.
 * @throws ApiError NOT_FOUND
 */
export async function rotateSecret(reference: EndpointReference, actor: Actor): Promise<EndpointWithSecret> {
  const { workspaceId, endpointId } = reference;
  return transaction(async (tx) => {
    const endpoint = await getEndpoint(tx, reference);
    const old = (await lockSecret.first(tx, { endpointId }))?.sealed;
    if (!old) throw new Error(`the endpoint ${endpointId} has no secret`);
    const { secret, sealed } = replaceSecret(workspaceId, endpointId, old, new Date());
    await writeSecret.run(tx, { endpointId, sealed });
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
