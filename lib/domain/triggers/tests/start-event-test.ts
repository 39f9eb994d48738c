import { randomUUID } from "node:crypto";
import type { EventTestObject } from "#lib/contract/trigger/trigger";
import {
  EVENT_TEST_COLUMNS,
  EVENT_TEST_ROW,
  LISTEN_SECONDS,
  presentEventTest,
} from "#lib/domain/triggers/tests/event-test";
import { workflowNotFound } from "#lib/domain/workflows/workflow-not-found";
import { float8, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const upsertTest = defineStatement({
  name: "start_event_test",
  params: { id: uuid, workspaceId: uuid, workflowId: uuid, listenSeconds: float8 },
  row: EVENT_TEST_ROW,
  sql: `insert into webhook_tests as t (id, workspace_id, workflow_id, listens_until)
        select $1, w.workspace_id, w.id, now() + make_interval(secs => $4)
        from workflows w where w.workspace_id = $2 and w.id = $3 and w.deleted_at is null
        on conflict (workspace_id, workflow_id) do update
        set listens_until = excluded.listens_until, received_at = null, event_sealed = null, problem = null
        returning ${EVENT_TEST_COLUMNS}`,
  isPrepared: false,
});

/**
 * Listens for one test event of a webhook for two minutes (decisions, Inbound webhooks). The workflow does not have to
 * be published, and the event starts nothing. Starting again waits for another event.
 * @throws ApiError NOT_FOUND
 */
export async function startEventTest(workspaceId: string, workflowId: string): Promise<EventTestObject> {
  const row = await upsertTest.first(db(), {
    id: randomUUID(),
    workspaceId,
    workflowId,
    listenSeconds: LISTEN_SECONDS,
  });
  if (!row) throw workflowNotFound();
  return presentEventTest(row);
}
