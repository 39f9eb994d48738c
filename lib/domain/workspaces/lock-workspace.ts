import { uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const lockRow = defineStatement({
  name: "lock_workspace",
  params: { workspaceId: uuid },
  sql: "select 1 from workspaces where id = $1 for no key update",
});

/** Makes conflicting changes of a workspace take turns, until the transaction ends. */
export async function lockWorkspace(tx: Db, workspaceId: string): Promise<void> {
  await lockRow.run(tx, { workspaceId });
}
