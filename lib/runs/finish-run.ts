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

interface Finish {
  outcome: FinalOutcome;
  /** For how long the run has been executing, in ms. */
  usedMs: number;
  /** What is not in the journal yet. */
  batch: JournalBatch;
}

/**
 * Writes the terminal state, once, with the journal's last events in the same statement (contract, States): whoever
 * sees the run ended sees all of its steps. A run that was opened and never claimed passes through `running` here.
 * @throws LeaseLost when the run is no longer ours; then nothing was written
 */
export async function finishRun(db: Db, lease: Lease, { outcome, usedMs, batch }: Finish): Promise<void> {
  const isSuccess = outcome.status === "succeeded";
  const { rows } = await db.query({
    name: lease.isClaimed ? "finish_run" : "finish_opened_run",
    text: `with fence as (
      update runs set status = $5, output = $6, error = $7, completed_at = now(), lease_owner = null,
        lease_token = lease_token + 1, claimed_at = null, running_ms = running_ms + $8::integer,
        started_at = coalesce(started_at, now() - $8::integer * interval '1 millisecond')
      where id = $1 and lease_token = $2 and ${
        lease.isClaimed ? "status = 'running'" : "status in ('accepted', 'running') and lease_owner is null"
      }
      returning id, workspace_id
    ), ${insertBatchSql(false)}
    select id from fence`,
    values: [
      lease.runId,
      lease.token,
      batch.events,
      batch.checkpoints,
      outcome.status,
      isSuccess && outcome.output ? storableJson(outcome.output) : null,
      isSuccess ? null : storableJson(sanitize(outcome.error)),
      Math.round(usedMs),
    ],
  });
  if (rows.length === 0) throw new LeaseLost(lease.runId);
}
