import type { EventEndpointObject, EventType } from "#lib/contract/event/outbound-event";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { assertReachable } from "#lib/domain/outbound-events/endpoints/create-endpoint";
import {
  ENDPOINT_COLUMNS,
  type EndpointReference,
  requireEndpoint,
  whereEndpoint,
} from "#lib/domain/outbound-events/endpoints/endpoint-row";
import { prismaTransaction } from "#lib/platform/db/prisma";

/** The changes; a field that is left out does not change. */
interface EndpointChanges {
  url?: string | undefined;
  name?: string | undefined;
  events?: readonly EventType[] | undefined;
  isEnabled?: boolean | undefined;
}

/**
 * Changes an endpoint. Enabling it again clears its failures and sends what waits.
 * @throws ApiError NOT_FOUND, BAD_REQUEST for an address that outgoing calls may not reach
 */
export async function updateEndpoint(
  reference: EndpointReference,
  { url, name, events, isEnabled }: EndpointChanges,
  actor: Actor,
): Promise<EventEndpointObject> {
  const { workspaceId, endpointId } = reference;
  if (url !== undefined) assertReachable(url);
  return prismaTransaction(async (tx) => {
    const [row] = await tx.prisma.eventEndpoint.updateManyAndReturn({
      where: whereEndpoint(reference),
      data: {
        ...(url === undefined ? {} : { url, failingSince: null }),
        ...(name === undefined ? {} : { name }),
        ...(events === undefined ? {} : { events: [...events] }),
        ...(isEnabled === undefined ? {} : { isEnabled, disabledReason: null, failingSince: null }),
        updatedAt: new Date(),
      },
      select: ENDPOINT_COLUMNS,
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
