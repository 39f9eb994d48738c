import { checkTarget } from "#lib/connectors/sdk/check-target";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import { ApiError } from "#lib/contract/api-error";
import { type EndpointWithSecret, EVENT_LIMITS, EVENT_TYPES, type EventType } from "#lib/contract/outbound-event";
import { StepError } from "#lib/contract/step-error";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { ENDPOINT_COLUMNS, ENDPOINT_ROW, presentEndpoint } from "#lib/domain/outbound-events/endpoints/endpoint-row";
import { createSecret } from "#lib/domain/outbound-events/endpoints/signing-secret";
import { lockWorkspace } from "#lib/domain/workspaces/lock-workspace";
import { env } from "#lib/platform/config/env";
import { array, bigint, bytea, enumOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/transaction";
import { uuidv7 } from "#lib/support/ids";

interface NewEndpoint {
  workspaceId: string;
  userId: string;
  actor: Actor;
  url: string;
  name: string;
  events: readonly EventType[];
}

const insertEndpoint = defineStatement({
  name: "create_event_endpoint",
  params: {
    id: uuid,
    workspaceId: uuid,
    name: text,
    url: text,
    sealed: bytea,
    events: array(enumOf(EVENT_TYPES)),
    userId: uuid,
    endpointsMax: bigint,
  },
  row: ENDPOINT_ROW,
  sql: `insert into event_endpoints as e (id, workspace_id, kind, name, url, secret_sealed, events, created_by)
        select $1, $2, 'webhook', $3, $4, $5, $6, $7
        where (select count(*) from event_endpoints where workspace_id = $2 and kind = 'webhook') < $8
        returning ${ENDPOINT_COLUMNS}`,
  isPrepared: false,
});

/**
 * Adds an endpoint; its secret is in this answer and never again.
 * @throws ApiError BAD_REQUEST for an address that outgoing calls may not reach, or one endpoint too many
 */
export async function createEndpoint(request: NewEndpoint): Promise<EndpointWithSecret> {
  const { workspaceId, url, name, events, actor } = request;
  assertReachable(url);
  const id = uuidv7();
  const { secret, sealed } = createSecret(workspaceId, id);
  return transaction(async (tx) => {
    // Locks the workspace, so that two at once cannot both be the last one.
    await lockWorkspace(tx, workspaceId);
    const row = await insertEndpoint.first(tx, {
      id,
      workspaceId,
      name,
      url,
      sealed,
      events,
      userId: request.userId,
      endpointsMax: EVENT_LIMITS.endpointsPerWorkspace,
    });
    if (!row) {
      throw new ApiError("BAD_REQUEST", `A workspace has at most ${EVENT_LIMITS.endpointsPerWorkspace} endpoints.`);
    }
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: "event_endpoint.created",
      objectType: "event_endpoint",
      objectId: id,
      details: { url, events: [...events] },
    });
    return { ...presentEndpoint(row), secret };
  });
}

/** What can be refused before a name is resolved is refused while somebody is there to read it. @throws ApiError BAD_REQUEST */
export function assertReachable(url: string): void {
  try {
    checkTarget(parseOutboundAllow(env().OUTBOUND_ALLOW), url);
  } catch (error) {
    if (error instanceof StepError) throw new ApiError("BAD_REQUEST", error.message);
    throw error;
  }
}
