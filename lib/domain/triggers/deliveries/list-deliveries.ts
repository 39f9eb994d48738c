import type { Page } from "#lib/contract/page";
import type { DeliveryObject } from "#lib/contract/trigger";
import { type DeliveryRow, presentDelivery } from "#lib/domain/triggers/deliveries/present-delivery";
import { workflowNotFound } from "#lib/domain/workflows/workflow-not-found";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { db } from "#lib/platform/db/pool";

/** One page of what reached a workflow's trigger, newest first. @throws ApiError NOT_FOUND, BAD_REQUEST (cursor) */
export async function listDeliveries(
  workspaceId: string,
  workflowId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<DeliveryObject>> {
  const bound = { list: "deliveries", workspaceId, workflowId };
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor, bound);
  const workflows = await db().query<{ subscription_id: string | null }>({
    text: `select s.id as subscription_id from workflows w
           left join trigger_subscriptions s on s.workspace_id = w.workspace_id and s.workflow_id = w.id
           where w.workspace_id = $1 and w.id = $2 and w.deleted_at is null`,
    values: [workspaceId, workflowId],
  });
  const workflow = workflows.rows[0];
  if (!workflow) throw workflowNotFound();
  const { rows } = await db().query<DeliveryRow & { received_at: Date }>({
    text: `select id, verdict, received_at, request, run_id from trigger_deliveries
           where subscription_id = $1 and ($2::timestamptz is null or (received_at, id) < ($2, $3::uuid))
           order by received_at desc, id desc limit $4`,
    values: [workflow.subscription_id, after?.createdAt ?? null, after?.id ?? null, page.limit + 1],
  });
  const keyset = (row: DeliveryRow & { received_at: Date }) => ({ createdAt: row.received_at, id: row.id });
  return toPage(rows, page.limit, bound, keyset, presentDelivery);
}
