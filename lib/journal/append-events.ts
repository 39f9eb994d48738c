import type { Db } from "#lib/db/pool";
import { LeaseLost } from "#lib/engine/lease-lost";

/**
 * Whose writes count: every claim of a run gets a new token, and only the present one may write. A run that was only
 * opened is `accepted` still; its first write claims it.
 */
export interface Lease {
  readonly runId: string;
  token: number;
  isClaimed: boolean;
}

/** Journal entries ready to be stored, with the outputs that sanitizing changed (decisions, Redaction and resume). */
export interface JournalBatch {
  /** JSON array of rows, payloads sanitized. */
  events: string;
  /** JSON array of sealed originals. */
  checkpoints: string;
}

export const EMPTY_BATCH: JournalBatch = { events: "[]", checkpoints: "[]" };

interface BatchSource {
  /** What yields the rows of `fence`, as `f`. */
  from: string;
  events: string;
  checkpoints: string;
}

/** One run's batch: the parameters $3 and $4. */
const OF_ONE_RUN: BatchSource = { from: "fence f", events: "$3::json", checkpoints: "$4::json" };

/**
 * The part of a statement that stores batches for the rows of `fence`, an earlier part that yields (id, workspace_id)
 * of each run while its lease holds and nothing afterwards. Times come as ages: the database's clock is the only one
 * that is stored.
 * @param isRepeat the batch may have been written already, its answer lost: then no done step is written twice. Not
 *   always so, because it makes Postgres write a second record for every row.
 */
export function insertBatchSql(isRepeat: boolean, source: BatchSource = OF_ONE_RUN): string {
  const onConflict = isRepeat ? "on conflict do nothing" : "";
  return `
written as (
  insert into execution_events (run_id, workspace_id, node_id, iteration, kind, attempt, answered_attempts, at,
    duration_ms, input_data, output_data, error)
  select f.id, f.workspace_id, e.node_id, e.iteration, e.kind, e.attempt, e.answered_attempts,
    now() - e.age_ms * interval '1 millisecond', e.duration_ms, e.input_data, e.output_data, e.error
  from ${source.from} cross join lateral json_to_recordset(${source.events}) as e (node_id text, iteration text,
    kind text, attempt integer, answered_attempts integer, age_ms double precision, duration_ms integer,
    input_data jsonb, output_data jsonb, error jsonb)
  ${onConflict}
), sealed as (
  insert into run_checkpoints (run_id, node_id, iteration, sealed)
  select f.id, c.node_id, c.iteration, decode(c.sealed, 'base64')
  from ${source.from} cross join lateral json_to_recordset(${source.checkpoints}) as c (node_id text, iteration text,
    sealed text)
  ${onConflict}
)`;
}

/**
 * Writes a batch into the journal of a claimed run. The lock on the run's row puts it before or after a cancel and
 * declareDead, never between.
 * @param isRepeat see insertBatchSql
 * @throws LeaseLost when the run is no longer ours; then nothing was written
 */
export async function appendEvents(db: Db, lease: Lease, batch: JournalBatch, isRepeat: boolean): Promise<void> {
  const { rows } = await db.query({
    name: isRepeat ? "append_events_again" : "append_events",
    text: `with fence as (
      select id, workspace_id from runs where id = $1 and lease_token = $2 and status = 'running' for no key update
    ), ${insertBatchSql(isRepeat)}
    select id from fence`,
    values: [lease.runId, lease.token, batch.events, batch.checkpoints],
  });
  if (rows.length === 0) throw new LeaseLost(lease.runId);
}
