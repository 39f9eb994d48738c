import type { Db } from "#lib/db/pool";

/** Rows a statement copies at most. */
const BATCH = 1_000;

export interface StepSelection {
  fromRunId: string;
  toRunId: string;
  workspaceId: string;
  /** Nodes whose steps stay behind, whatever became of them. */
  exceptNodes: readonly string[];
}

/**
 * Of `execution_events e`: the entry belongs to a step that is done (contract, Step), per node and iteration. Its starts
 * and earlier attempts come along, so that its timeline is whole. Parameter $2 holds the nodes left out.
 */
export const IS_OF_DONE_STEP = `e.node_id <> all($2) and exists (
  select 1 from execution_events d where d.run_id = e.run_id and d.node_id = e.node_id and d.iteration = e.iteration
    and d.kind in ('step_completed', 'step_skipped', 'step_failed_continued'))`;

/**
 * Takes the done steps of an ended run over into a new one, as they were journalled, marked `reused`. Call it in the
 * transaction that makes the new run.
 * @returns how many entries
 */
export async function copyDoneSteps(tx: Db, { fromRunId, toRunId, workspaceId, exceptNodes }: StepSelection) {
  let copied = 0;
  for (let after: number | null = 0; after !== null; ) {
    const { rows }: { rows: { last: number | null; count: number }[] } = await tx.query({
      name: "copy_done_steps",
      text: `with batch as materialized (
          select e.* from execution_events e
          where e.run_id = $1 and e.workspace_id = $5 and e.seq > $3 and ${IS_OF_DONE_STEP} order by e.seq limit ${BATCH}
        ), copied as (
          insert into execution_events (run_id, workspace_id, node_id, iteration, kind, attempt, answered_attempts, at,
            duration_ms, input_data, output_data, error, output_sealed, reused)
          select $4, workspace_id, node_id, iteration, kind, attempt, answered_attempts, at, duration_ms, input_data,
            output_data, error, output_sealed, true
          from batch order by seq
        )
        select max(seq) as last, count(*)::integer as count from batch`,
      values: [fromRunId, exceptNodes, after, toRunId, workspaceId],
    });
    copied += rows[0]?.count ?? 0;
    after = rows[0]?.last ?? null;
  }
  return copied;
}
