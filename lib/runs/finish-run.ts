import type { JsonObject } from "#lib/contract/json-schema";
import type { RunError } from "#lib/contract/run";
import type { Db } from "#lib/db/pool";
import { LeaseLost } from "#lib/engine/lease-lost";
import { insertBatchSql, type JournalBatch, type Lease } from "#lib/journal/append-events";
import { sanitize } from "#lib/redaction/sanitize";
import { storableJson } from "#lib/support/storable-json";

/** How a run ended. The output is the product's answer and stored as it is; an error is sanitized. */
export type FinalOutcome =
  | { status: "succeeded"; output: JsonObject | null }
  | { status: "failed" | "timed_out"; error: RunError };

/** What a run used of its time since it was claimed, in ms. */
export const RUNNING_MS_SQL = `running_ms + coalesce((extract(epoch from now() - claimed_at) * 1000)::integer, 0)`;

/**
 * Writes the terminal state, once, with the journal's last events in the same statement (contract, States): whoever
 * sees the run ended sees all of its steps.
 * @throws LeaseLost when the run is no longer ours; then nothing was written
 */
export async function finishRun(db: Db, lease: Lease, outcome: FinalOutcome, batch: JournalBatch): Promise<void> {
  const isSuccess = outcome.status === "succeeded";
  const { rows } = await db.query({
    name: "finish_run",
    text: `with fence as (
      update runs set status = $5, output = $6, error = $7, completed_at = now(), lease_owner = null,
        running_ms = ${RUNNING_MS_SQL}, claimed_at = null
      where id = $1 and lease_token = $2 and status = 'running'
      returning id, workspace_id
    ), ${insertBatchSql("fence", 3)}
    select id from fence`,
    values: [
      lease.runId,
      lease.token,
      batch.events,
      batch.checkpoints,
      outcome.status,
      isSuccess && outcome.output ? storableJson(outcome.output) : null,
      isSuccess ? null : storableJson(sanitize(outcome.error)),
    ],
  });
  if (rows.length === 0) throw new LeaseLost(lease.runId);
}
