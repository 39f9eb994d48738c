import { text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const selectContinued = defineStatement({
  name: "find_continued_nodes",
  params: { runId: uuid, workspaceId: uuid },
  row: { nodeId: text },
  sql: `select distinct node_id as "nodeId" from journal_events($1)
        where workspace_id = $2 and kind = 'step_failed_continued'`,
});

/** Returns the nodes of a run that failed, in any iteration, without ending the run. */
export async function findContinuedNodes(db: Db, run: { runId: string; workspaceId: string }): Promise<Set<string>> {
  const rows = await selectContinued.all(db, run);
  return new Set(rows.map((row) => row.nodeId));
}
