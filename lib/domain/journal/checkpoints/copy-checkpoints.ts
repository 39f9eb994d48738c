import { ApiError } from "#lib/contract/error/api-error";
import { outputContext } from "#lib/domain/journal/checkpoints/load-outputs";
import type { StepSelection } from "#lib/domain/journal/copy-done-steps";
import { array, bytea, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { seal, unseal } from "#lib/platform/secrets/seal";

/**
 * The most outputs that one statement reads. All outputs of a run have at most 10 MiB together (decisions, Size
 * limits).
 */
const BATCH = 500;

const CHECKPOINT_ROW = { node_id: text, iteration: text, sealed: nullable(bytea) };

const readCheckpoints = defineStatement({
  name: "read_checkpoints",
  params: { fromRunId: uuid, exceptNodes: array(text), workspaceId: uuid, afterNode: text, afterIteration: text },
  row: CHECKPOINT_ROW,
  sql: `select e.node_id, e.iteration, c.sealed
        from journal_events($1) e left join run_checkpoints c
          on c.run_id = e.run_id and c.node_id = e.node_id and c.iteration = e.iteration
        where e.workspace_id = $3 and e.node_id <> all($2) and e.kind = 'step_completed'
          and e.output_sealed and (e.node_id, e.iteration) > ($4, $5)
        order by e.node_id, e.iteration limit ${BATCH}`,
});

/**
 * Copies the real outputs of completed steps into a new run. They are decrypted and sealed again for the new run,
 * because a sealed value can be decrypted only in its own place (decisions, Redaction).
 * @throws ApiError BAD_REQUEST if an output that sanitizing changed is no longer stored, or its key is missing
 */
export async function copyCheckpoints(tx: Db, selection: StepSelection): Promise<void> {
  const { fromRunId, toRunId, workspaceId, exceptNodes } = selection;
  let [afterNode, afterIteration] = ["", ""];
  for (;;) {
    const rows = await readCheckpoints.all(tx, { fromRunId, exceptNodes, workspaceId, afterNode, afterIteration });
    const last = rows.at(-1);
    if (!last) return;
    await insertCheckpoints(
      tx,
      toRunId,
      rows.map((row) => ({ ...row, sealed: resealed(selection, row) })),
    );
    [afterNode, afterIteration] = [last.node_id, last.iteration];
  }
}

function resealed(
  selection: StepSelection,
  { node_id: nodeId, iteration, sealed }: RowOf<typeof CHECKPOINT_ROW>,
): Buffer {
  const { fromRunId, toRunId, workspaceId } = selection;
  if (!sealed) throw outputsGone();
  let output: unknown;
  try {
    output = unseal(workspaceId, outputContext(fromRunId, nodeId, iteration), sealed);
  } catch (cause) {
    throw outputsGone(cause);
  }
  return seal(workspaceId, outputContext(toRunId, nodeId, iteration), output);
}

const insertRows = defineStatement({
  name: "insert_checkpoints",
  params: { runId: uuid, nodeIds: array(text), iterations: array(text), sealed: array(bytea) },
  sql: `insert into run_checkpoints (run_id, node_id, iteration, sealed)
        select $1, * from unnest($2::text[], $3::text[], $4::bytea[])`,
});

/** Stores the sealed outputs of a run. */
export async function insertCheckpoints(
  tx: Db,
  runId: string,
  checkpoints: { node_id: string; iteration: string; sealed: Buffer }[],
): Promise<void> {
  await insertRows.run(tx, {
    runId,
    nodeIds: checkpoints.map((checkpoint) => checkpoint.node_id),
    iterations: checkpoints.map((checkpoint) => checkpoint.iteration),
    sealed: checkpoints.map((checkpoint) => checkpoint.sealed),
  });
}

/** Refusing is better than passing on a redacted value, or running finished work again silently (decisions, Replay). */
function outputsGone(cause?: unknown): ApiError {
  const message = "Step outputs of this run are no longer stored. Replay it from the start (mode from_start).";
  return new ApiError("BAD_REQUEST", message, { cause });
}
