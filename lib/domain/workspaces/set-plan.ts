import { PLANS, type Plan } from "#lib/contract/plans";
import { enumOf, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const updatePlan = defineStatement({
  name: "set_plan",
  params: { workspaceId: uuid, plan: enumOf(PLANS) },
  sql: "update workspaces set plan = $2, updated_at = now() where id = $1",
  isPrepared: false,
});

/** Changes what a workspace is allowed (contract, Limits). Keys over a smaller plan's quota stay valid. */
export async function setPlan(tx: Db, workspaceId: string, plan: Plan): Promise<void> {
  await updatePlan.run(tx, { workspaceId, plan });
}
