import {
  type EventEndpointObject,
  type EventMailObject,
  type EventType,
  MAIL_EVENTS,
} from "#lib/contract/outbound-event";
import {
  ENDPOINT_COLUMNS,
  ENDPOINT_KINDS,
  ENDPOINT_ROW,
  presentEndpoint,
} from "#lib/domain/outbound-events/endpoints/endpoint-row";
import { env } from "#lib/platform/config/env";
import { enumOf, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const selectEndpoints = defineStatement({
  name: "list_event_endpoints",
  params: { workspaceId: uuid },
  row: { kind: enumOf(ENDPOINT_KINDS), ...ENDPOINT_ROW, url: nullable(text) },
  sql: `select e.kind, ${ENDPOINT_COLUMNS} from event_endpoints e where e.workspace_id = $1 order by e.created_at, e.id`,
  isPrepared: false,
});

/** Where a workspace's events go: its webhooks, oldest first, and what mail tells of. */
export async function listEndpoints(
  workspaceId: string,
): Promise<{ data: EventEndpointObject[]; mail: EventMailObject }> {
  const rows = await selectEndpoints.all(db(), { workspaceId });
  const mail = rows.find((row) => row.kind === "email");
  return {
    data: rows.flatMap(({ url, ...row }) => (url === null ? [] : [presentEndpoint({ ...row, url })])),
    mail: presentMail(mail ? (mail.is_enabled ? mail.events : []) : MAIL_EVENTS),
  };
}

export function presentMail(events: readonly EventType[]): EventMailObject {
  return { is_configured: env().SMTP_URL !== undefined, events: [...events] };
}
