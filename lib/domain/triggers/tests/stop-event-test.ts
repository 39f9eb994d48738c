import type { EventTestObject } from "#lib/contract/trigger";
import { getEventTest } from "#lib/domain/triggers/tests/get-event-test";
import { db } from "#lib/platform/db/pool";

/** Waits no longer; what came already stays. @throws ApiError NOT_FOUND */
export async function stopEventTest(workspaceId: string, workflowId: string): Promise<EventTestObject | null> {
  await db().query({
    text: "update webhook_tests set listens_until = null where workspace_id = $1 and workflow_id = $2",
    values: [workspaceId, workflowId],
  });
  return getEventTest(workspaceId, workflowId);
}
