import {
  type EventEndpointObject,
  type EventMailObject,
  type EventType,
  MAIL_EVENTS,
} from "#lib/contract/outbound-event";
import {
  ENDPOINT_COLUMNS,
  type EndpointRow,
  presentEndpoint,
} from "#lib/domain/outbound-events/endpoints/endpoint-row";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";

/** Where a workspace's events go: its webhooks, oldest first, and what mail tells of. */
export async function listEndpoints(
  workspaceId: string,
): Promise<{ data: EventEndpointObject[]; mail: EventMailObject }> {
  const { rows } = await db().query<EndpointRow & { kind: string }>({
    text: `select e.kind, ${ENDPOINT_COLUMNS} from event_endpoints e where e.workspace_id = $1 order by e.created_at, e.id`,
    values: [workspaceId],
  });
  const mail = rows.find((row) => row.kind === "email");
  return {
    data: rows.filter((row) => row.kind === "webhook").map(presentEndpoint),
    mail: presentMail(mail ? (mail.is_enabled ? mail.events : []) : MAIL_EVENTS),
  };
}

export function presentMail(events: readonly EventType[]): EventMailObject {
  return { is_configured: env().SMTP_URL !== undefined, events: [...events] };
}
