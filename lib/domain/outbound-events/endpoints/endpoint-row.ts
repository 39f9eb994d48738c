import { ApiError } from "#lib/contract/api-error";
import { EVENT_TYPES, type EventEndpointObject } from "#lib/contract/outbound-event";
import {
  array,
  boolean,
  enumOf,
  filled,
  nullable,
  type RowOf,
  text,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

/** Which endpoint somebody means. */
export interface EndpointReference {
  workspaceId: string;
  endpointId: string;
}

export const ENDPOINT_KINDS = ["webhook", "email"] as const;

/** The columns of a webhook that callers may read: all but its secret. */
export const ENDPOINT_ROW = {
  id: uuid,
  name: text,
  url: filled(text),
  events: array(enumOf(EVENT_TYPES)),
  is_enabled: boolean,
  disabled_reason: nullable(text),
  failing_since: nullable(timestamptz),
  created_at: timestamptz,
};
export type EndpointRow = RowOf<typeof ENDPOINT_ROW>;

export const ENDPOINT_COLUMNS =
  "e.id, e.name, e.url, e.events, e.is_enabled, e.disabled_reason, e.failing_since, e.created_at";

const findEndpoint = defineStatement({
  name: "find_event_endpoint",
  params: { endpointId: uuid, workspaceId: uuid },
  row: ENDPOINT_ROW,
  sql: `select ${ENDPOINT_COLUMNS} from event_endpoints e
        where e.id = $1 and e.workspace_id = $2 and e.kind = 'webhook'`,
  isPrepared: false,
});

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

/** Presents the row of a statement. @throws ApiError NOT_FOUND: unknown or another workspace's, both alike */
export function requireEndpoint(row: EndpointRow | null): EventEndpointObject {
  if (!row) throw new ApiError("NOT_FOUND", "There is no such endpoint.");
  return presentEndpoint(row);
}

/** @throws ApiError NOT_FOUND */
export async function getEndpoint(from: Db, reference: EndpointReference): Promise<EventEndpointObject> {
  return requireEndpoint(await findEndpoint.first(from, reference));
}
