import { ApiError } from "#lib/contract/api-error";
import type { EventEndpointObject, EventType } from "#lib/contract/outbound-event";
import type { Db } from "#lib/platform/db/pool";

/** Which endpoint somebody means. */
export interface EndpointReference {
  workspaceId: string;
  endpointId: string;
}

export interface EndpointRow {
  id: string;
  name: string;
  url: string;
  events: EventType[];
  is_enabled: boolean;
  disabled_reason: string | null;
  failing_since: Date | null;
  created_at: Date;
}

/** What may be read of an endpoint: everything but its secret. */
export const ENDPOINT_COLUMNS =
  "e.id, e.name, e.url, e.events, e.is_enabled, e.disabled_reason, e.failing_since, e.created_at";

export function presentEndpoint(row: EndpointRow): EventEndpointObject {
  return {
    endpoint_id: row.id,
    name: row.name,
    url: row.url,
    events: row.events,
    is_enabled: row.is_enabled,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** The only row of an answer. @throws ApiError NOT_FOUND: unknown or another workspace's, both alike */
export function theEndpoint(rows: readonly EndpointRow[]): EventEndpointObject {
  const [row] = rows;
  if (!row) throw new ApiError("NOT_FOUND", "There is no such endpoint.");
  return presentEndpoint(row);
}

/** @throws ApiError NOT_FOUND */
export async function getEndpoint(from: Db, { workspaceId, endpointId }: EndpointReference) {
  const { rows } = await from.query<EndpointRow>({
    text: `select ${ENDPOINT_COLUMNS} from event_endpoints e
           where e.id = $1 and e.workspace_id = $2 and e.kind = 'webhook'`,
    values: [endpointId, workspaceId],
  });
  return theEndpoint(rows);
}
