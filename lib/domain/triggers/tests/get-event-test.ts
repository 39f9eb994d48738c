import type { EventTestObject } from "#lib/contract/trigger";
import {
  EVENT_TEST_COLUMNS,
  type EventTestRow,
  KEPT_MINUTES,
  presentEventTest,
} from "#lib/domain/triggers/tests/event-test";
import { workflowNotFound } from "#lib/domain/workflows/workflow-not-found";
import { db } from "#lib/platform/db/pool";

/**
 * Whether a workflow listens for a test event, and the one that came within the last hour; null where nobody listened yet.
 * @throws ApiError NOT_FOUND
 */
export async function getEventTest(workspaceId: string, workflowId: string): Promise<EventTestObject | null> {
  const { rows } = await db().query<Partial<EventTestRow> & { is_recent: boolean }>({
    text: `select ${EVENT_TEST_COLUMNS}, coalesce(t.received_at > now() - make_interval(mins => $3), false) as is_recent
           from workflows w
           left join webhook_tests t on t.workspace_id = w.workspace_id and t.workflow_id = w.id
           where w.workspace_id = $1 and w.id = $2 and w.deleted_at is null`,
    values: [workspaceId, workflowId, KEPT_MINUTES],
  });
  const [row] = rows;
  if (!row) throw workflowNotFound();
  const { is_recent: isRecent, ...test } = row;
  if (!test.id) return null;
  return presentEventTest({ ...(test as EventTestRow), ...(isRecent ? {} : { event_sealed: null }) });
}
