import { requireTransitions } from "#lib/contract/run/run";
import { array, bigint, jsonText, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { storableJson } from "#lib/support/json";

/**
 * Identifies the worker that may write: every claim of a run creates a new token, and only the current one is valid. A
 * run that was only opened is still `accepted`; its first write claims it.
 */
export interface Lease {
  readonly runId: string;
  token: number;
  isClaimed: boolean;
}

/** Journal events ready to be stored, with the outputs that sanitizing changed (decisions, Redaction). */
export interface JournalBatch {
  /** JSON array of rows, with sanitized payloads. */
  events: string;
  /** JSON array of sealed originals. */
  checkpoints: string;
  /** JSON array of the large values that payloads refer to by their places, from 1; null if there are none. */
  large: string | null;
}

export const EMPTY_BATCH: JournalBatch = { events: "[]", checkpoints: "[]", large: null };

/** The columns that `given` must have for each run to store its batch. */
export const BATCH_COLUMNS = "events json, checkpoints json, large json";

/** The large values of a batch in `given`, as fill_parts (`prisma/functions/fill_parts.sql`) expects them. */
export const LARGE_VALUES_SQL = `case when given.large is not null then array(
  select l.value::text from json_array_elements(given.large) with ordinality as l (value, place) order by l.place) end`;

interface InsertOptions {
  /**
   * True if the batch may already have been written and its answer lost: then no completed step is written twice. It is not
   * always true, because it makes PostgreSQL write a second record for every row.
   */
  isRepeat?: boolean;
  /** A condition on `given`: the events of the batch are stored by another part. */
  exceptEvents?: string;
}

/**
 * Builds the part of a statement that stores batches: those in `given`, for the runs in `fence`. Both are earlier
 * parts; `fence` yields (id, workspace_id) of each run while its lease is valid and nothing afterwards. Times are
 * passed as ages, because only the database's clock is stored.
 */
export function insertBatchSql({ isRepeat = false, exceptEvents = "false" }: InsertOptions = {}): string {
  const onConflict = isRepeat ? "on conflict do nothing" : "";
  return `
written as (
  insert into execution_events (run_id, workspace_id, node_id, iteration, kind, attempt, answered_attempts, at,
    duration_ms, input_data, output_data, output_written, error, output_sealed, warnings, skip_reason, console)
  select f.id, f.workspace_id, e.node_id, coalesce(e.iteration, ''), coalesce(e.kind, 'step_completed'), coalesce(e.attempt, 1), e.answered_attempts,
    now() - coalesce(e.age_ms, 0) * interval '1 millisecond', e.duration_ms,
    coalesce(e.input_data, fill_parts(e.input_parts, v.large)::jsonb),
    coalesce(e.output_data::jsonb, fill_parts(e.output_parts, v.large)::jsonb),
    case when e.output_is_written then coalesce(e.output_data, fill_parts(e.output_parts, v.large)::json) end, e.error,
    e.output_sealed, e.warnings, e.skip_reason, e.console
  from fence f join given on given.id = f.id and not (${exceptEvents})
    cross join lateral (select ${LARGE_VALUES_SQL} as large offset 0) v
    cross join lateral json_to_recordset(given.events) as e (node_id text, iteration text, kind text, attempt integer,
      answered_attempts integer, age_ms double precision, duration_ms integer, input_data jsonb, output_data json,
      input_parts json, output_parts json,
      output_is_written boolean, error jsonb, output_sealed boolean, warnings json, skip_reason text, console json)
  ${onConflict}
), sealed as (
  insert into run_checkpoints (run_id, node_id, iteration, sealed)
  select f.id, c.node_id, c.iteration, decode(c.sealed, 'base64')
  from fence f join given on given.id = f.id
    cross join lateral json_to_recordset(given.checkpoints) as c (node_id text, iteration text, sealed text)
  ${onConflict}
)`;
}

/** One run's row of `given`; its batch is already JSON text. */
export function givenText(columns: object, batch: JournalBatch): string {
  return `${storableJson(columns).slice(0, -1)},"events":${batch.events},"checkpoints":${batch.checkpoints},"large":${batch.large}}`;
}

export interface JournalWrite {
  lease: Lease;
  /** How long the run has been executing, in ms. */
  usedMs: number;
  batch: JournalBatch;
}

interface AppendOptions {
  /** The worker's pool, which owns its leases. */
  poolId: string;
  /** True if the writes may already have been made and their answer lost. */
  isRepeat: boolean;
}

/**
 * Writes batches into the journals of runs, and claims those that were only opened (contract, Run: accepted to
 * running): of two workers with a job each, only one gets the run, and a worker that was declared dead gets none. The
 * lock on a run's row, taken in the order of the ids, puts the write before or after a cancel and declareDead, never in between. Updates the given
 * leases when a run is claimed.
 * @returns in the order of the arguments: false if this worker no longer has the run; nothing was written for it
 */
export async function appendEvents(
  db: Db,
  writes: readonly JournalWrite[],
  { poolId, isRepeat }: AppendOptions,
): Promise<boolean[]> {
  const rows = await (isRepeat ? appendAgain : append).all(db, {
    given: `[${writes.map(writeText).join(",")}]`,
    runIds: writes.map((write) => write.lease.runId),
    poolId,
  });
  const tokens = new Map(rows.map((row) => [row.id, row.lease_token]));
  return writes.map(({ lease }) => {
    const token = tokens.get(lease.runId);
    if (token === undefined) return false;
    lease.token = token;
    lease.isClaimed = true;
    return true;
  });
}

function writeText({ lease, usedMs, batch }: JournalWrite): string {
  return givenText({ id: lease.runId, token: lease.token, is_claimed: lease.isClaimed, used_ms: usedMs }, batch);
}

// The first write of a run that was only opened claims it.
requireTransitions(["accepted"], "running");
const APPEND = {
  params: { given: jsonText, runIds: array(uuid), poolId: text },
  row: { id: uuid, lease_token: bigint },
};
const append = defineStatement({
  ...APPEND,
  name: "append_events",
  sql: appendSql(false),
  warmUp: { given: "[]", runIds: [], poolId: "" },
});
const appendAgain = defineStatement({ ...APPEND, name: "append_events_again", sql: appendSql(true) });

function appendSql(isRepeat: boolean): string {
  const again = isRepeat ? "or (r.status = 'running' and r.lease_token = g.token + 1 and r.lease_owner = $3)" : "";
  return `with given as (
      select * from json_to_recordset($1::json) as g (id uuid, token bigint, is_claimed boolean, used_ms float8,
        ${BATCH_COLUMNS})
    ), locked as (
      select id, workspace_id, status, lease_token from runs where id = any($2::uuid[])
      order by id for no key update
    ), claimed as (
      update runs r set status = 'running', lease_owner = $3, lease_token = g.token + 1,
        journal_bytes = null, claimed_at = now() - g.used_ms * interval '1 millisecond',
        started_at = coalesce(r.started_at, now() - g.used_ms * interval '1 millisecond')
      from given g join locked l on l.id = g.id
      where r.id = any($2::uuid[]) and r.id = g.id and not g.is_claimed and (
          (r.lease_token = g.token and (r.status = 'accepted' or (r.status = 'running' and r.lease_owner is null)))
          ${again}
        )
        and exists (select 1 from worker_heartbeats where pool_id = $3 and dead_at is null)
      returning r.id, r.workspace_id, r.lease_token
    ), held as (
      select l.id, l.workspace_id, l.lease_token from locked l join given g on l.id = g.id
      where g.is_claimed and l.lease_token = g.token and l.status = 'running'
    ), fence as (
      select * from claimed union all select * from held
    ), ${insertBatchSql({ isRepeat })}
    select id, lease_token from fence`;
}
