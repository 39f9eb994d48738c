import type { Definition } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import { isTerminal, type RunStatus } from "#lib/contract/run";
import type { Db } from "#lib/db/pool";
import { LeaseLost } from "#lib/engine/lease-lost";
import type { Lease } from "#lib/journal/append-events";
import { unseal } from "#lib/secrets/seal";

/** Everything a worker needs to execute a run. */
export interface ClaimedRun {
  lease: Lease;
  workspaceId: string;
  /** Null for a test run of a draft, whose definition stands beside it. */
  versionId: string | null;
  definition: Definition | null;
  /** The caller's own values. */
  input: JsonObject;
  traceparent: string | null;
  /** Running time left (contract, Limits: pipeline timeout; waiting does not count). */
  remainingMs: number;
  /** False when nothing can have been journalled yet: the usual case saves the look. */
  hasJournal: boolean;
}

interface ClaimRow {
  workspace_id: string;
  workflow_version_id: string | null;
  definition: Definition | null;
  input: JsonObject;
  input_sealed: Buffer | null;
  traceparent: string | null;
  running_ms: number;
  lease_token: number;
  is_replay: boolean;
}

/**
 * Takes a run that nobody works on (contract, States: accepted to running). One statement: two workers with a job each
 * get one run between them, and a worker that was declared dead gets none.
 * @returns null when the job is stale: the run ended, waits for approval, or is gone
 * @throws LeaseLost when somebody else works on it, or this worker was declared dead
 */
export async function claimRun(db: Db, runId: string, poolId: string): Promise<ClaimedRun | null> {
  const { rows } = await db.query<ClaimRow>({
    name: "claim_run",
    text: `update runs set status = 'running', lease_owner = $2, lease_token = lease_token + 1, claimed_at = now(),
             started_at = coalesce(started_at, now())
           where id = $1 and (status = 'accepted' or (status = 'running' and lease_owner is null))
             and exists (select 1 from worker_heartbeats where pool_id = $2 and dead_at is null)
           returning workspace_id, workflow_version_id, definition, input, input_sealed, traceparent, running_ms,
             lease_token, resume_from_run_id is not null as is_replay`,
    values: [runId, poolId],
  });
  const row = rows[0];
  if (!row) return isStale(db, runId);
  return {
    lease: { runId, token: row.lease_token },
    workspaceId: row.workspace_id,
    versionId: row.workflow_version_id,
    definition: row.definition,
    input: row.input_sealed ? unseal<JsonObject>(row.workspace_id, `input|${runId}`, row.input_sealed) : row.input,
    traceparent: row.traceparent,
    remainingMs: Math.max(0, LIMITS.pipelineTimeoutMs - row.running_ms),
    hasJournal: row.lease_token > 1 || row.is_replay,
  };
}

async function isStale(db: Db, runId: string): Promise<null> {
  const status = await findRunStatus(db, runId);
  if (status === null || status === "waiting_for_approval" || isTerminal(status)) return null;
  throw new LeaseLost(runId);
}

/** @returns null when there is no such run */
export async function findRunStatus(db: Db, runId: string): Promise<RunStatus | null> {
  const { rows } = await db.query<{ status: RunStatus }>({
    name: "find_run_status",
    text: "select status from runs where id = $1",
    values: [runId],
  });
  return rows[0]?.status ?? null;
}
