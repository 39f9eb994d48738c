import { ApiError } from "#lib/contract/error/api-error";
import type { EventEndpointObject, EventType } from "#lib/contract/event/outbound-event";
import type { Prisma } from "#lib/platform/db/generated/client";
import type { PrismaDb } from "#lib/platform/db/prisma";

/** Identifies an endpoint. */
export interface EndpointReference {
  workspaceId: string;
  endpointId: string;
}

export const ENDPOINT_KINDS = ["webhook", "email"] as const;

/** The columns of a webhook that callers may read: all except its secret. */
export const ENDPOINT_COLUMNS = {
  id: true,
  name: true,
  url: true,
  events: true,
  isEnabled: true,
  disabledReason: true,
  failingSince: true,
  createdAt: true,
} as const satisfies Prisma.EventEndpointSelect;
type EndpointRow = Prisma.EventEndpointGetPayload<{ select: typeof ENDPOINT_COLUMNS }>;

/** Selects a webhook of a workspace; an endpoint of the kind `email` is not one. */
export function whereEndpoint({ workspaceId, endpointId }: EndpointReference) {
  return { id: endpointId, workspaceId, kind: "webhook" } satisfies Prisma.EventEndpointWhereInput;
}

export function presentEndpoint(row: EndpointRow): EventEndpointObject {
  return {
    endpoint_id: row.id,
    name: row.name,
    url: row.url ?? "",
    events: row.events as EventType[],
    is_enabled: row.isEnabled,
    disabled_reason: row.disabledReason,
    failing_since: row.failingSince?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

/** @throws ApiError NOT_FOUND for an unknown endpoint and for one of another workspace alike */
export function requireEndpoint(row: EndpointRow | null | undefined): EventEndpointObject {
  if (!row) throw new ApiError("NOT_FOUND", "There is no such endpoint.");
  return presentEndpoint(row);
}

/** @throws ApiError NOT_FOUND */
export async function getEndpoint(prisma: PrismaDb, reference: EndpointReference): Promise<EventEndpointObject> {
  return requireEndpoint(
    await prisma.eventEndpoint.findFirst({ where: whereEndpoint(reference), select: ENDPOINT_COLUMNS }),
  );
}
