import type { Plan } from "#lib/contract/plans";
import type { Db } from "#lib/platform/db/pool";

/** Changes what a workspace is allowed (contract, Limits). Keys over a smaller plan's quota stay valid. */
export async function setPlan(tx: Db, workspaceId: string, plan: Plan): Promise<void> {
  await tx.query({
    text: "update workspaces set plan = $2, updated_at = now() where id = $1",
    values: [workspaceId, plan],
  });
}
