import type { RunWarning } from "#lib/contract/run/journal";
import { EXECUTABLE_RUN_STATUSES, type RunError, requireTransitions } from "#lib/contract/run/run";
import { sanitize } from "#lib/core/redaction/sanitize";
import {
  BATCH_COLUMNS,
  givenText,
  insertBatchSql,
  type JournalBatch,
  LARGE_VALUES_SQL,
  type Lease,
} from "#lib/domain/journal/append-events";
import type { PreparedOutput } from "#lib/domain/runs/execute/prepare-output";
import { array, jsonText, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";

/** How a run ended. An error is sanitized here, an output before. */
export type FinalOutcome = (
  | { status: "succeeded"; output: PreparedOutput }
  | { status: Exclude<(typeof FINAL_STATUSES)[number], "succeeded">; error: RunError }
) & { warnings?: readonly RunWarning[] };

export interface Finish {
  lease: Lease;
  outcome: FinalOutcome;
  /** How long the run has been executing, in ms. */
  usedMs: number;
  /** The events that are not in the journal yet. */
  batch: JournalBatch;
}

/** The terminal states that a run can reach, whether it is claimed or only opened. */
const FINAL_STATUSES = ["succeeded", "failed", "timed_out"] as const;
for (const status of FINAL_STATUSES) requireTransitions(EXECUTABLE_RUN_STATUSES, status);

/**
 * Events that a run writes together with its end are packed into one row of `journal_ends`: as rows of their own, each
 * would have two index entries. Larger batches are rows: every reader of the journal expands the packed events.
 */
const PACKED_BYTES = 16_384;

const writeEnds = defineStatement({
  name: "finish_runs",
  params: { given: jsonText, runIds: array(uuid) },
  row: { id: uuid },
  warmUp: { given: "[]", runIds: [] },
  // No unique index keeps a step from being done again in packed events: a run ends once, and its lease guards the end.
  sql: `with given as (
      select *, coalesce(json_array_length(events) > 1 and octet_length(events::text) <= ${PACKED_BYTES}, false) as is_packed
      from json_to_recordset($1::json) as g (id uuid, token bigint, is_claimed boolean, status text,
        output json, output_sealed text, serves_sealed boolean, error jsonb, warnings json, used_ms integer, ${BATCH_COLUMNS})
    ), fence as (
      update runs r set status = g.status, output = g.output,
        output_sealed = decode(g.output_sealed, 'base64'), serves_sealed_output = g.serves_sealed, error = g.error,
        warnings = g.warnings, completed_at = now(), lease_owner = null,
        lease_token = r.lease_token + 1, claimed_at = null, running_ms = r.running_ms + g.used_ms,
        started_at = coalesce(r.started_at, now() - g.used_ms * interval '1 millisecond')
      from given g
      where r.id = any($2::uuid[]) and r.id = g.id and r.lease_token = g.token and (
        (g.is_claimed and r.status = 'running')
        or (not g.is_claimed and r.status in ${sqlSet(EXECUTABLE_RUN_STATUSES)} and r.lease_owner is null))
      returning r.id, r.workspace_id
    ), dequeued as (
      delete from run_queue where run_id = any($2::uuid[]) and run_id in (select id from fence)
    ), packed as (
      insert into journal_ends (run_id, workspace_id, seq, at, events, large)
      select f.id, f.workspace_id, nextval('execution_events_seq_seq'), now(), given.events, ${LARGE_VALUES_SQL}
      from fence f join given on given.id = f.id and given.is_packed
    ), ${insertBatchSql({ exceptEvents: "given.is_packed" })}
    select id from fence`,
});

/**
 * Writes the terminal state of runs, once each, with the last events of their journals in the same statement (contract,
 * Run), so a reader who sees a run ended sees all of its steps. Removes them from the queue. A run that was opened and never claimed passes through
 * `running` here.
 * Locks the runs in the order of their ids, as append_events and declare-dead do: the update meets them in the order in
 * which they are given. A lock before it would be one more record in the log per run; if PostgreSQL chooses a plan with
 * another order, a deadlock is possible, and the caller repeats it.
 * @returns in the order of the arguments: false if this worker no longer has the run; nothing was written for it
 */
export async function finishRuns(db: Db, finishes: readonly Finish[]): Promise<boolean[]> {
  const inOrder = finishes.toSorted((one, other) => (one.lease.runId < other.lease.runId ? -1 : 1));
  const rows = await writeEnds.all(db, {
    given: `[${inOrder.map(rowText).join(",")}]`,
    // The ids are given separately too: the planner's estimate for a recordset (100 rows) may lead it to scan the whole
    // table.
    runIds: finishes.map((finish) => finish.lease.runId),
  });
  const written = new Set(rows.map((row) => row.id));
  return finishes.map((finish) => written.has(finish.lease.runId));
}

function rowText({ lease, outcome, usedMs, batch }: Finish): string {
  const columns = {
    id: lease.runId,
    token: lease.token,
    is_claimed: lease.isClaimed,
    status: outcome.status,
    error: outcome.status === "succeeded" ? null : sanitize(outcome.error),
    warnings: sanitize(outcome.warnings),
    used_ms: Math.round(usedMs),
  };
  const text = givenText(columns, batch);
  return outcome.status === "succeeded" ? `${text.slice(0, -1)}${outputText(outcome.output)}}` : text;
}

/** The output is JSON text already. */
function outputText({ shown, sealed, servesSealed }: PreparedOutput): string {
  const original = sealed === null ? "" : `,"output_sealed":"${sealed}","serves_sealed":${servesSealed}`;
  return `,"output":${shown}${original}`;
}
