import { DELIVERY_VERDICTS, type DeliveryObject } from "#lib/contract/trigger/trigger";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Page } from "#lib/contract/wire/page";
import { presentDelivery } from "#lib/domain/triggers/deliveries/present-delivery";
import { workflowNotFound } from "#lib/domain/workflows/workflow-not-found";
import { bigint, enumOf, jsonb, nullable, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { db } from "#lib/platform/db/pool";

const findWorkflow = defineStatement({
  name: "find_workflow_of_deliveries",
  params: { workspaceId: uuid, workflowId: uuid },
  row: { subscription_id: nullable(uuid) },
  sql: `select s.id as subscription_id from workflows w
        left join trigger_subscriptions s on s.workspace_id = w.workspace_id and s.workflow_id = w.id
        where w.workspace_id = $1 and w.id = $2 and w.deleted_at is null`,
  isPrepared: false,
});

const selectPage = defineStatement({
  name: "list_deliveries",
  params: {
    workspaceId: uuid,
    subscriptionId: nullable(uuid),
    afterTime: nullable(timestamptz),
    afterId: nullable(uuid),
    limit: bigint,
  },
  row: {
    id: uuid,
    verdict: enumOf(DELIVERY_VERDICTS),
    received_at: timestamptz,
    request: nullable(jsonb<JsonObject>()),
    run_id: nullable(uuid),
  },
  sql: `select id, verdict, received_at, request, run_id from trigger_deliveries
        where workspace_id = $1 and subscription_id = $2
          and ($3::timestamptz is null or (received_at, id) < ($3, $4::uuid))
        order by received_at desc, id desc limit $5`,
  isPrepared: false,
});

/**
 * Lists one page of the deliveries to a workflow's trigger, newest first.
 * @throws ApiError NOT_FOUND, BAD_REQUEST (cursor)
 */
export async function listDeliveries(
  workspaceId: string,
  workflowId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<DeliveryObject>> {
  const bound = { list: "deliveries", workspaceId, workflowId };
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor, bound);
  const workflow = await findWorkflow.first(db(), { workspaceId, workflowId });
  if (!workflow) throw workflowNotFound();
  const rows = await selectPage.all(db(), {
    workspaceId,
    subscriptionId: workflow.subscription_id,
    afterTime: after?.createdAt ?? null,
    afterId: after?.id ?? null,
    limit: page.limit + 1,
  });
  return toPage(rows, page.limit, bound, (row) => ({ createdAt: row.received_at, id: row.id }), presentDelivery);
}
