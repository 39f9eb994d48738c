import { DONE_EVENT_KINDS } from "#lib/contract/run/journal";
import { type StepKey, stepKey } from "#lib/core/engine/step-key";
import { array, bigint, integer, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";

/** The most rows that one statement copies. */
const BATCH = 1_000;

export interface StepSelection {
  fromRunId: string;
  toRunId: string;
  workspaceId: string;
  /** Nodes whose steps are not copied, whatever their result. */
  exceptNodes: readonly string[];
}

const copyBatch = defineStatement({
  name: "copy_done_steps",
  params: {
    fromRunId: uuid,
    workspaceId: uuid,
    after: bigint,
    toRunId: uuid,
    exceptNodes: array(text),
    exceptSteps: array(text),
  },
  row: { last: nullable(bigint), count: integer },
  sql: `with batch as materialized (
      select * from journal_events($1)
      where workspace_id = $2 and seq > $3 and node_id <> all($5)
        and node_id || '|' || iteration <> all($6)
      order by seq limit ${BATCH}
    ), copied as (
      insert into execution_events (run_id, workspace_id, node_id, iteration, kind, attempt, answered_attempts, at,
        duration_ms, input_data, output_data, output_written, error, output_sealed, reused, warnings, skip_reason, console)
      select $4, workspace_id, node_id, iteration, kind, attempt, answered_attempts, at, duration_ms, input_data,
        output_data, output_written, error, output_sealed, true, warnings, skip_reason, console
      from batch order by seq
    )
    select max(seq) as last, count(*)::integer as count from batch`,
});

/**
 * Copies the completed steps of an ended run (contract, Journal) into a new one, per node and iteration, as they were
 * journaled, marked `reused`. Their starts and earlier attempts are copied too, so that the timeline is complete. Call
 * it in the transaction that creates the new run.
 * @returns how many events
 */
export async function copyDoneSteps(tx: Db, selection: StepSelection): Promise<number> {
  const { fromRunId, toRunId, workspaceId, exceptNodes } = selection;
  const exceptSteps = await listUndoneSteps(tx, selection);
  let copied = 0;
  for (let after: number | null = 0; after !== null; ) {
    const batch: { last: number | null; count: number } = await copyBatch.one(tx, {
      fromRunId,
      workspaceId,
      after,
      toRunId,
      exceptNodes,
      exceptSteps,
    });
    copied += batch.count;
    after = batch.last;
  }
  return copied;
}

const selectUndone = defineStatement({
  name: "list_undone_steps",
  params: { runId: uuid, workspaceId: uuid },
  row: { node_id: text, iteration: text },
  sql: `select node_id, iteration from journal_events($1) where workspace_id = $2
        group by node_id, iteration
        having not bool_or(kind in ${sqlSet(DONE_EVENT_KINDS)})`,
});

/** The steps that started and are not completed: few, however long the journal is. */
async function listUndoneSteps(tx: Db, { fromRunId, workspaceId }: StepSelection): Promise<StepKey[]> {
  const rows = await selectUndone.all(tx, { runId: fromRunId, workspaceId });
  return rows.map((row) => stepKey(row.node_id, row.iteration));
}
