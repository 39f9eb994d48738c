import type { EventTestObject } from "#lib/contract/trigger";
import { db } from "#lib/db/pool";
import { getEventTest } from "#lib/triggers/get-event-test";

/** Waits no longer; what came already stays. @throws ApiError NOT_FOUND */
export async function stopEventTest(workspaceId: string, workflowId: string): Promise<EventTestObject | null> {
  await db().query({
    text: "update webhook_tests set listens_until = null where workspace_id = $1 and workflow_id = $2",
    values: [workspaceId, workflowId],
  });
  return getEventTest(workspaceId, workflowId);
}
