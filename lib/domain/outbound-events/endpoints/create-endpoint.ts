import { checkTarget } from "#lib/connectors/sdk/check-target";
import { ApiError } from "#lib/contract/error/api-error";
import { type EndpointWithSecret, EVENT_LIMITS, type EventType } from "#lib/contract/event/outbound-event";
import { StepError } from "#lib/contract/run/step-error";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { ENDPOINT_COLUMNS, presentEndpoint } from "#lib/domain/outbound-events/endpoints/endpoint-row";
import { createSecret } from "#lib/domain/outbound-events/endpoints/signing-secret";
import { lockWorkspace } from "#lib/domain/workspaces/lock-workspace";
import { prismaTransaction } from "#lib/platform/db/prisma";
import { outboundPolicy } from "#lib/platform/outgoing/outgoing";
import { uuidv7 } from "#lib/support/ids";

interface NewEndpoint {
  workspaceId: string;
  userId: string;
  actor: Actor;
  url: string;
  name: string;
  events: readonly EventType[];
}

/**
 * Adds an endpoint. Only this answer contains its secret.
 * @throws ApiError BAD_REQUEST for an address that outgoing calls may not reach, or above the limit of endpoints
 */
export async function createEndpoint(request: NewEndpoint): Promise<EndpointWithSecret> {
  const { workspaceId, url, name, events, actor } = request;
  assertReachable(url);
  const id = uuidv7();
  const { secret, sealed } = createSecret(workspaceId, id);
  return prismaTransaction(async (tx) => {
    // Locks the workspace, so that two concurrent calls cannot both take the last free place.
    await lockWorkspace(tx, workspaceId);
    const count = await tx.prisma.eventEndpoint.count({ where: { workspaceId, kind: "webhook" } });
    if (count >= EVENT_LIMITS.endpointsPerWorkspace) {
      throw new ApiError(
        "BAD_REQUEST",
        `A workspace can have at most ${EVENT_LIMITS.endpointsPerWorkspace} endpoints.`,
      );
    }
    const sent = { name, url, events: [...events] };
    const row = await tx.prisma.eventEndpoint.create({
      data: { ...sent, id, workspaceId, kind: "webhook", secretSealed: sealed, createdBy: request.userId },
      select: ENDPOINT_COLUMNS,
    });
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: "event_endpoint.created",
      objectType: "event_endpoint",
      objectId: id,
      details: { url, events: [...events] },
    });
    return { ...presentEndpoint(row), secret };
  });
}

/**
 * Refuses what can be refused without resolving the name, while a person is there to read it.
 * @throws ApiError BAD_REQUEST
 */
export function assertReachable(url: string): void {
  try {
    checkTarget(outboundPolicy(), url);
  } catch (error) {
    if (error instanceof StepError) throw new ApiError("BAD_REQUEST", error.message);
    throw error;
  }
}
