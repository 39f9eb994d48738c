import { requireTransitions } from "#lib/contract/run";
import { array, bigint, jsonText, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { storableJson } from "#lib/support/storable-json";

/**
 * Whose writes count: every claim of a run gets a new token, and only the present one may write. A run that was only
 * opened is `accepted` still; its first write claims it.
 */
export interface Lease {
  readonly runId: string;
  token: number;
  isClaimed: boolean;
}

/** Journal entries ready to be stored, with the outputs that sanitizing changed (decisions, Redaction). */
export interface JournalBatch {
  /** JSON array of rows, payloads sanitized. */
  events: string;
  /** JSON array of sealed originals. */
  checkpoints: string;
}

export const EMPTY_BATCH: JournalBatch = { events: "[]", checkpoints: "[]" };

/** What `given` must hold of each run for its batch to be stored. */
export const BATCH_COLUMNS = "events json, checkpoints json";

/**
 * The part of a statement that stores batches: those of `given`, for the runs of `fence`. Both are earlier parts;
 * `fence` yields (id, workspace_id) of each run while its lease holds and nothing afterwards. Times come as ages: the
 * database's clock is the only one that is stored.
 * @param isRepeat the batch may have been written already, its answer lost: then no done step is written twice. Not
 *   always so, because it makes Postgres write a second record for every row.
 */
export function insertBatchSql(isRepeat: boolean): string {
  const onConflict = isRepeat ? "on conflict do nothing" : "";
  return `
written as (
  insert into execution_events (run_id, workspace_id, node_id, iteration, kind, attempt, answered_attempts, at,
    duration_ms, input_data, output_data, error, output_sealed)
  select f.id, f.workspace_id, e.node_id, e.iteration, e.kind, e.attempt, e.answered_attempts,
    now() - e.age_ms * interval '1 millisecond', e.duration_ms, e.input_data, e.output_data, e.error,
    e.output_sealed
  from fence f join given on given.id = f.id
    cross join lateral json_to_recordset(given.events) as e (node_id text, iteration text, kind text, attempt integer,
      answered_attempts integer, age_ms double precision, duration_ms integer, input_data jsonb, output_data jsonb,
      error jsonb, output_sealed boolean)
  ${onConflict}
), sealed as (
  insert into run_checkpoints (run_id, node_id, iteration, sealed)
  select f.id, c.node_id, c.iteration, decode(c.sealed, 'base64')
  from fence f join given on given.id = f.id
    cross join lateral json_to_recordset(given.checkpoints) as c (node_id text, iteration text, sealed text)
  ${onConflict}
)`;
}

/** One run's row of `given`; its batch is JSON text already. */
export function givenText(columns: object, batch: JournalBatch): string {
  return `${storableJson(columns).slice(0, -1)},"events":${batch.events},"checkpoints":${batch.checkpoints}}`;
}

export interface JournalWrite {
  lease: Lease;
  /** For how long the run has been executing, in ms. */
  usedMs: number;
  batch: JournalBatch;
}

interface AppendOptions {
  /** The worker's pool, the owner of its leases. */
  poolId: string;
  /** The writes may have been done already, their answer lost. */
  isRepeat: boolean;
}

/**
 * Writes batches into the journals of runs, and claims those that were only opened (contract, Run: accepted to
 * running): two workers with a job each get one run between them, and a worker that was declared dead gets none. The
 * lock on a run's row puts the write before or after a cancel and declareDead, never between. The leases of claimed
 * runs are changed to what they now are.
 * @returns in the order given: false where the run is no longer ours; nothing was written of it
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

/** Running time of a run that was parked for a delay, in ms up to this claim: only its clock went on. */
const PARKED_MS = `case when r.lease_owner is null and r.claimed_at is not null
          then greatest(0, extract(epoch from now() - r.claimed_at) * 1000 - g.used_ms)::integer else 0 end`;

// The first write of a run that was only opened claims it.
requireTransitions(["accepted"], "running");
const APPEND = {
  params: { given: jsonText, runIds: array(uuid), poolId: text },
  row: { id: uuid, lease_token: bigint },
};
const append = defineStatement({ ...APPEND, name: "append_events", sql: appendSql(false) });
const appendAgain = defineStatement({ ...APPEND, name: "append_events_again", sql: appendSql(true) });

function appendSql(isRepeat: boolean): string {
  const again = isRepeat ? "or (r.status = 'running' and r.lease_token = g.token + 1 and r.lease_owner = $3)" : "";
  return `with given as (
      select * from json_to_recordset($1::json) as g (id uuid, token bigint, is_claimed boolean, used_ms float8,
        ${BATCH_COLUMNS})
    ), claimed as (
      update runs r set status = 'running', lease_owner = $3, lease_token = g.token + 1,
        running_ms = r.running_ms + ${PARKED_MS},
        claimed_at = now() - g.used_ms * interval '1 millisecond',
        started_at = coalesce(r.started_at, now() - g.used_ms * interval '1 millisecond')
      from given g
      where r.id = any($2::uuid[]) and r.id = g.id and not g.is_claimed and (
          (r.lease_token = g.token and (r.status = 'accepted' or (r.status = 'running' and r.lease_owner is null)))
          ${again}
        )
        and exists (select 1 from worker_heartbeats where pool_id = $3 and dead_at is null)
      returning r.id, r.workspace_id, r.lease_token
    ), held as (
      select r.id, r.workspace_id, r.lease_token from runs r join given g on r.id = g.id
      where r.id = any($2::uuid[]) and g.is_claimed and r.lease_token = g.token and r.status = 'running'
      for no key update of r
    ), fence as (
      select * from claimed union all select * from held
    ), ${insertBatchSql(isRepeat)}
    select id, lease_token from fence`;
}
