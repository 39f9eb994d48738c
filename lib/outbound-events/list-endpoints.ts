import { env } from "#lib/config/env";
import {
  type EventEndpointObject,
  type EventMailObject,
  type EventType,
  MAIL_EVENTS,
} from "#lib/contract/outbound-event";
import { db } from "#lib/db/pool";
import { ENDPOINT_COLUMNS, type EndpointRow, presentEndpoint } from "#lib/outbound-events/endpoint-row";

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
