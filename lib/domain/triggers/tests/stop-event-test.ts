import type { EventTestObject } from "#lib/contract/trigger/trigger";
import { getEventTest } from "#lib/domain/triggers/tests/get-event-test";
import { prisma } from "#lib/platform/db/prisma";

/**
 * Stops waiting for a test event; one that already arrived stays.
 * @throws ApiError NOT_FOUND
 */
export async function stopEventTest(workspaceId: string, workflowId: string): Promise<EventTestObject | null> {
  await prisma().webhookTest.updateMany({ where: { workspaceId, workflowId }, data: { listensUntil: null } });
  return getEventTest(workspaceId, workflowId);
}
