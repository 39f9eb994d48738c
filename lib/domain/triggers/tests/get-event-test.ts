import type { EventTestObject } from "#lib/contract/trigger/trigger";
import {
  EVENT_TEST_COLUMNS,
  EVENT_TEST_ROW,
  KEPT_MINUTES,
  presentEventTest,
} from "#lib/domain/triggers/tests/event-test";
import { workflowNotFound } from "#lib/domain/workflows/workflow-not-found";
import { boolean, integer, nullable, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const findTest = defineStatement({
  name: "get_event_test",
  params: { workspaceId: uuid, workflowId: uuid, keptMinutes: integer },
  row: { ...EVENT_TEST_ROW, id: nullable(uuid), is_recent: boolean },
  sql: `select ${EVENT_TEST_COLUMNS}, coalesce(t.received_at > now() - make_interval(mins => $3), false) as is_recent
        from workflows w
        left join webhook_tests t on t.workspace_id = w.workspace_id and t.workflow_id = w.id
        where w.workspace_id = $1 and w.id = $2 and w.deleted_at is null`,
  isPrepared: false,
});

/**
 * Returns whether a workflow listens for a test event, and the event that arrived within the last hour; null if no one
 * has listened yet.
 * @throws ApiError NOT_FOUND
 */
export async function getEventTest(workspaceId: string, workflowId: string): Promise<EventTestObject | null> {
  const row = await findTest.first(db(), { workspaceId, workflowId, keptMinutes: KEPT_MINUTES });
  if (!row) throw workflowNotFound();
  const { id, is_recent: isRecent, ...test } = row;
  if (id === null) return null;
  return presentEventTest({ ...test, id, ...(isRecent ? {} : { event_sealed: null }) });
}
