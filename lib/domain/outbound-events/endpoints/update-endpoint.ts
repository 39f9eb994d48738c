import type { EventEndpointObject, EventType } from "#lib/contract/outbound-event";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { assertReachable } from "#lib/domain/outbound-events/endpoints/create-endpoint";
import {
  ENDPOINT_COLUMNS,
  type EndpointReference,
  type EndpointRow,
  theEndpoint,
} from "#lib/domain/outbound-events/endpoints/endpoint-row";
import { transaction } from "#lib/platform/db/transaction";

/** What changes; what is left out stays. */
interface EndpointChanges {
  url?: string | undefined;
  name?: string | undefined;
  events?: readonly EventType[] | undefined;
  isEnabled?: boolean | undefined;
}

/**
 * Changes an endpoint. One that is switched on again begins anew: it has not been failing, and what waits goes out.
 * @throws ApiError NOT_FOUND, BAD_REQUEST for an address that outgoing calls may not reach
 */
export async function updateEndpoint(
  { workspaceId, endpointId }: EndpointReference,
  { url, name, events, isEnabled }: EndpointChanges,
  actor: Actor,
): Promise<EventEndpointObject> {
  if (url !== undefined) assertReachable(url);
  return transaction(async (tx) => {
    const { rows } = await tx.query<EndpointRow>({
      text: `update event_endpoints e set url = coalesce($3, url), name = coalesce($4, name), events = coalesce($5, events),
               is_enabled = coalesce($6, is_enabled), updated_at = now(),
               disabled_reason = case when $6 is null then disabled_reason end,
               failing_since = case when $6 is null and $3 is null then failing_since end
             where e.id = $1 and e.workspace_id = $2 and e.kind = 'webhook' returning ${ENDPOINT_COLUMNS}`,
      values: [endpointId, workspaceId, url ?? null, name ?? null, events ?? null, isEnabled ?? null],
    });
    const endpoint = theEndpoint(rows);
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: "event_endpoint.changed",
      objectType: "event_endpoint",
      objectId: endpointId,
      details: { url: endpoint.url, events: endpoint.events, is_enabled: endpoint.is_enabled },
    });
    return endpoint;
  });
}
