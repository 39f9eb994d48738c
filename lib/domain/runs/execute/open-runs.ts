import { LIMITS } from "#lib/contract/limits";
import { isTerminal, isWaiting, RUN_STATUSES, type RunStatus } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { LeaseLost } from "#lib/core/engine/lease-lost";
import type { ParkedRetry } from "#lib/core/engine/retry";
import type { Lease } from "#lib/domain/journal/append-events";
import { inputContext } from "#lib/domain/runs/read/run-row";
import {
  array,
  bigint,
  boolean,
  bytea,
  enumOf,
  float8,
  integer,
  json,
  jsonb,
  nullable,
  type RowOf,
  text,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { jsonBytesSql } from "#lib/platform/db/json-bytes-sql";
import type { Db } from "#lib/platform/db/pool";
import { unseal } from "#lib/platform/secrets/seal";

/** A run with everything a worker needs to execute it. */
export interface OpenedRun {
  lease: Lease;
  workspaceId: string;
  /** Null for a test run of a draft, which carries its own definition. */
  versionId: string | null;
  definition: Definition | null;
  /** As it is shown: sanitized. */
  input: JsonObject;
  inputSealed: Buffer | null;
  traceparent: string | null;
  /** True if another run waits for this one. */
  isSubRun: boolean;
  /** True if the workspace stores outputs redacted. */
  redactsOutput: boolean;
  /** The running time left (contract, Limits: pipeline timeout; waiting does not count). */
  remainingMs: number;
  /** The retries that it was parked for. */
  retries: ParkedRetry[];
  /** The size of the payloads in the journal, as JSON; null if it has to be read from there. */
  journalBytes: number | null;
  /** False if nothing can be in the journal yet: the usual case saves the query. */
  hasJournal: boolean;
}

/** The runs that a worker has opened and not left. */
export interface OpenedList {
  poolId: string;
  held: readonly string[];
  /** Grows with each list of the worker, modulo LIST_NUMBERS: of two that are sent at once, the newer one stays. */
  list: number;
}

/** A busy worker would reach the end of an integer within weeks. */
export const LIST_NUMBERS = 2 ** 30;

/** As park_run stores it. */
type StoredRetry = Omit<ParkedRetry, "waitMs"> & { dueMs: number };

const RUN_TO_OPEN = {
  id: uuid,
  status: enumOf(RUN_STATUSES),
  workspace_id: uuid,
  workflow_version_id: nullable(uuid),
  definition: nullable(json<Definition>()),
  input: json<JsonObject>(),
  input_sealed: nullable(bytea),
  traceparent: nullable(text),
  running_ms: integer,
  retries: nullable(jsonb<StoredRetry[]>()),
  journal_bytes: nullable(integer),
  now_ms: float8,
  lease_token: bigint,
  is_leased: boolean,
  is_replay: boolean,
  is_sub_run: boolean,
  redacts_output: boolean,
};

type RunToOpen = RowOf<typeof RUN_TO_OPEN>;

/** What is read of a run, as JSON. */
const RUN_BYTES = `${jsonBytesSql("r.input")} + ${jsonBytesSql("r.definition")} + coalesce(octet_length(r.input_sealed), 0)`;

const selectRuns = defineStatement({
  name: "open_runs",
  params: { runIds: array(uuid), bytesMax: bigint, poolId: text, held: array(uuid), list: integer },
  row: RUN_TO_OPEN,
  // The list needs no wait for the disk: if PostgreSQL crashes, no loss counts.
  sql: `with quiet as materialized (
          select set_config('synchronous_commit', 'off', true)
        ), listed as (
          insert into opened_runs as o (pool_id, run_ids, list) select $3, $4::uuid[], $5::integer from quiet
          where cardinality($1::uuid[]) > 0
          on conflict (pool_id) do update set run_ids = excluded.run_ids, list = excluded.list
            where mod(excluded.list - o.list + ${LIST_NUMBERS}, ${LIST_NUMBERS}) between 1 and ${LIST_NUMBERS / 2}
        )
        select id, status, workspace_id, workflow_version_id, definition,
          coalesce(input_written, input::json) as input, input_sealed, traceparent,
          running_ms, retries, journal_bytes, (extract(epoch from now()) * 1000)::float8 as now_ms,
          lease_token, lease_owner is not null as is_leased, resume_from_run_id is not null as is_replay,
          parent_run_id is not null as is_sub_run,
          (select w.redact_outputs from workspaces w where w.id = r.workspace_id) as redacts_output
        from (
          select r.*, coalesce(sum(${RUN_BYTES})
            over (order by r.id rows between unbounded preceding and 1 preceding), 0) <= $2 as fits
          from runs r where r.id = any($1::uuid[])
        ) r
        where fits`,
  warmUp: { runIds: [], bytesMax: 0, poolId: "", held: [], list: 0 },
});

/**
 * Reads the runs that jobs name. Opening does not claim them: until a run has an effect outside, no one needs to know,
 * and a run of pure steps goes from accepted to its end in the one statement that writes both. A second worker that
 * opened the same run then finds its token spent. The worker's list of opened runs is stored: only they are blamed for its
 * loss. Several statements read runs that are large together.
 * @param by the worker's pool, the runs that it has opened and not left, with these, and the number of this list
 * @returns in the order of the ids: the run; null if its job is stale (the run ended, waits for approval, or no longer
 * exists); or LeaseLost if another worker works on it
 */
export async function openRuns(
  db: Db,
  runIds: readonly string[],
  by: OpenedList,
): Promise<(OpenedRun | LeaseLost | null)[]> {
  const byId = new Map<string, RunToOpen>();
  for (let left = runIds; left.length > 0; left = left.filter((id) => !byId.has(id))) {
    const rows = await selectRuns.all(db, { ...by, runIds: left, bytesMax: LIMITS.journalStatementBytes });
    for (const row of rows) byId.set(row.id, row);
    // The others no longer exist.
    if (rows.length === 0) break;
  }
  return runIds.map((runId) => opened(byId.get(runId)));
}

function opened(row: RunToOpen | undefined): OpenedRun | LeaseLost | null {
  if (!row || isTerminal(row.status) || isWaiting(row.status)) return null;
  if (row.is_leased) return new LeaseLost(row.id);
  return {
    lease: { runId: row.id, token: row.lease_token, isClaimed: false },
    workspaceId: row.workspace_id,
    versionId: row.workflow_version_id,
    definition: row.definition,
    input: row.input,
    inputSealed: row.input_sealed,
    traceparent: row.traceparent,
    isSubRun: row.is_sub_run,
    redactsOutput: row.redacts_output,
    remainingMs: Math.max(0, LIMITS.pipelineTimeoutMs - row.running_ms),
    retries: (row.retries ?? []).map(({ dueMs, ...retry }) => ({ ...retry, waitMs: Math.max(0, dueMs - row.now_ms) })),
    journalBytes: row.journal_bytes,
    hasJournal: row.lease_token > 0 || row.is_replay,
  };
}

/** Returns the caller's own values: the ones that sanitizing changed are decrypted for the run itself. */
export function ownInput({ lease, workspaceId, input, inputSealed }: OpenedRun): JsonObject {
  return inputSealed ? unseal<JsonObject>(workspaceId, inputContext(lease.runId), inputSealed) : input;
}

const selectStatus = defineStatement({
  name: "find_run_status",
  params: { runId: uuid },
  row: { status: enumOf(RUN_STATUSES) },
  sql: "select status from runs where id = $1",
});

/** @returns null if there is no such run */
export async function findRunStatus(db: Db, runId: string): Promise<RunStatus | null> {
  return (await selectStatus.first(db, { runId }))?.status ?? null;
}
