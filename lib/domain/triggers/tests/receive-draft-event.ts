import { ApiError } from "#lib/contract/error/api-error";
import { receiveTestEvent } from "#lib/domain/triggers/tests/receive-test-event";
import type { Delivery } from "#lib/domain/triggers/verification/delivery";
import { nullable, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { UUID_PATTERN } from "#lib/support/ids";

const findDraft = defineStatement({
  name: "find_draft_of_address",
  params: { subscriptionId: uuid },
  row: { test_id: nullable(uuid) },
  sql: `select t.id as test_id from workflows w
        left join webhook_tests t on t.workspace_id = w.workspace_id and t.workflow_id = w.id and t.listens_until > now()
        where w.subscription_id = $1 and w.deleted_at is null
          and not exists (select from trigger_subscriptions s
                          where s.workspace_id = w.workspace_id and s.workflow_id = w.id)`,
  isPrepared: false,
});

/**
 * Receives a delivery to the address of a webhook that was never published. It starts nothing: while someone listens for
 * a test event, that person gets it.
 * @returns null if the address belongs to no such workflow
 * @throws ApiError NOT_FOUND while no one listens; like receiveTestEvent
 */
export async function receiveDraftEvent(
  subscriptionId: string,
  delivery: Delivery,
): Promise<Awaited<ReturnType<typeof receiveTestEvent>> | null> {
  const draft = UUID_PATTERN.test(subscriptionId) ? await findDraft.first(db(), { subscriptionId }) : null;
  if (draft === null) return null;
  if (draft.test_id !== null) return receiveTestEvent(draft.test_id, delivery);
  const message =
    "This webhook starts runs once its workflow is published. Publish the workflow, or listen for a test event on the canvas.";
  throw new ApiError("NOT_FOUND", message);
}
