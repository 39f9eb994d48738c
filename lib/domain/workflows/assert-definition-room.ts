import { ApiError } from "#lib/contract/error/api-error";
import type { Definition } from "#lib/contract/workflow/graph";
import { limitsOfPlan, PLANS } from "#lib/contract/workspace/plans";
import { bigint, enumOf, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { formatBytes } from "#lib/support/format/format-number";

const selectStored = defineStatement({
  name: "get_stored_definitions",
  params: { workspaceId: uuid },
  row: { stored: bigint, plan: enumOf(PLANS) },
  sql: `select coalesce(d.bytes, 0)::bigint as stored, w.plan from workspaces w
        left join definition_sizes d on d.workspace_id = w.id where w.id = $1`,
  isPrepared: false,
});

/**
 * Refuses a write that made the drafts and versions of a workspace exceed its plan's limit. Call it in the transaction
 * of the write, after it: count_definitions has added the size and holds the lock of the count.
 * @param replaced the draft before and after; a save that does not add to it is never refused
 * @throws ApiError QUOTA_EXCEEDED
 */
export async function assertDefinitionRoom(
  tx: Db,
  workspaceId: string,
  replaced?: { before: Definition; after: Definition },
): Promise<void> {
  const { stored, plan } = await selectStored.one(tx, { workspaceId });
  const { storedDefinitionBytes: limit } = limitsOfPlan(plan);
  if (stored <= limit) return;
  if (replaced && JSON.stringify(replaced.after).length <= JSON.stringify(replaced.before).length) return;
  throw new ApiError(
    "definitions_full",
    `The workflows of this workspace would take ${formatBytes(stored)}, and the plan ${plan} allows ${formatBytes(limit)}. ` +
      "Delete workflows that you no longer need. Drafts and all published versions count. A deleted workflow counts for at least 30 days, and until its runs are deleted.",
    { details: { limit, plan } },
  );
}
