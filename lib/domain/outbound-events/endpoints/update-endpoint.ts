import { EVENT_TYPES, type EventEndpointObject, type EventType } from "#lib/contract/outbound-event";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { assertReachable } from "#lib/domain/outbound-events/endpoints/create-endpoint";
import {
  ENDPOINT_COLUMNS,
  ENDPOINT_ROW,
  type EndpointReference,
  requireEndpoint,
} from "#lib/domain/outbound-events/endpoints/endpoint-row";
import { array, boolean, enumOf, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/transaction";

/** What changes; what is left out stays. */
interface EndpointChanges {
  url?: string | undefined;
  name?: string | undefined;
  events?: readonly EventType[] | undefined;
  isEnabled?: boolean | undefined;
}

const updateRow = defineStatement({
  name: "update_event_endpoint",
  params: {
    endpointId: uuid,
    workspaceId: uuid,
    url: nullable(text),
    name: nullable(text),
    events: nullable(array(enumOf(EVENT_TYPES))),
    isEnabled: nullable(boolean),
  },
  row: ENDPOINT_ROW,
  sql: `update event_endpoints e set url = coalesce($3, url), name = coalesce($4, name), events = coalesce($5, events),
          is_enabled = coalesce($6, is_enabled), updated_at = now(),
          disabled_reason = case when $6 is null then disabled_reason end,
          failing_since = case when $6 is null and $3 is null then failing_since end
        where e.id = $1 and e.workspace_id = $2 and e.kind = 'webhook' returning ${ENDPOINT_COLUMNS}`,
  isPrepared: false,
});

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
    const row = await updateRow.first(tx, {
      endpointId,
      workspaceId,
      url: url ?? null,
      name: name ?? null,
      events: events ?? null,
      isEnabled: isEnabled ?? null,
    });
    const endpoint = requireEndpoint(row);
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
