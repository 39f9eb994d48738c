import {
  type EventEndpointObject,
  type EventMailObject,
  type EventType,
  MAIL_EVENTS,
} from "#lib/contract/event/outbound-event";
import { ENDPOINT_COLUMNS, presentEndpoint } from "#lib/domain/outbound-events/endpoints/endpoint-row";
import { env } from "#lib/platform/config/env";
import { prisma } from "#lib/platform/db/prisma";

/** Lists where a workspace's events go: its webhooks, oldest first, and the events sent by email. */
export async function listEndpoints(
  workspaceId: string,
): Promise<{ data: EventEndpointObject[]; mail: EventMailObject }> {
  const rows = await prisma().eventEndpoint.findMany({
    where: { workspaceId },
    select: { ...ENDPOINT_COLUMNS, kind: true },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const mail = rows.find((row) => row.kind === "email");
  return {
    data: rows.filter((row) => row.kind === "webhook").map(presentEndpoint),
    mail: presentMail(mail ? (mail.isEnabled ? (mail.events as EventType[]) : []) : MAIL_EVENTS),
  };
}

export function presentMail(events: readonly EventType[]): EventMailObject {
  return { is_configured: env().SMTP_URL !== undefined, events: [...events] };
}
