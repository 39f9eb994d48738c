import { ApiError } from "#lib/contract/error/api-error";
import { DONE_EVENT_KINDS } from "#lib/contract/run/journal";
import { type StepKey, stepKey } from "#lib/core/engine/step-key";
import { listAddressReaders } from "#lib/core/graph/compare/list-address-readers";
import type { PlannedReplay } from "#lib/domain/runs/create/plan-replay";
import { array, boolean, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";

const selectDone = defineStatement({
  name: "list_done_steps",
  params: { runId: uuid, workspaceId: uuid, nodeIds: array(text) },
  row: { nodeId: text, iteration: text, isSkipped: boolean },
  sql: `select node_id as "nodeId", iteration, kind = 'step_skipped' as "isSkipped" from journal_events($1)
        where workspace_id = $2 and node_id = any($3) and kind in ${sqlSet(DONE_EVENT_KINDS)}`,
});

/**
 * Checks that no step waits for a callback to an address that no one has. The steps of a replay have new addresses; a
 * reused step passed the old one on.
 * @throws ApiError BAD_REQUEST naming the step to replay from
 */
export async function assertAddresses(
  tx: Db,
  workspaceId: string,
  { original, target, again }: Pick<PlannedReplay, "original" | "target" | "again">,
): Promise<void> {
  const readers = listAddressReaders(target.definition).filter(({ reader }) => !again.has(reader.id));
  if (readers.length === 0) return;
  const nodeIds = [...new Set(readers.flatMap(({ reader, target: { id } }) => [reader.id, id]))];
  const done = await selectDone.all(tx, { runId: original.id, workspaceId, nodeIds });
  const reused = new Set<StepKey>(
    done.filter(({ nodeId }) => !again.has(nodeId)).map(({ nodeId, iteration }) => stepKey(nodeId, iteration)),
  );
  for (const { reader, target: waiting, targetDepth } of readers) {
    const isLost = done.some(({ nodeId, iteration, isSkipped }) => {
      const outer = iteration.split(".").slice(0, targetDepth).join(".");
      return nodeId === reader.id && !isSkipped && !reused.has(stepKey(waiting.id, outer));
    });
    if (isLost) throw lostAddress(reader.id, waiting.id);
  }
}

function lostAddress(readerId: string, waitingId: string): ApiError {
  return new ApiError(
    "BAD_REQUEST",
    `The step ${readerId} passed on the callback URL of ${waitingId}, but a replay has a new callback URL. Replay from the step ${readerId} (mode from_step), or from the start (mode from_start).`,
  );
}
