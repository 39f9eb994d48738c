import type { Definition } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import type { RunError, RunSource, RunStatus } from "#lib/contract/run";
import type { Db } from "#lib/db/pool";
import { RUN_JOB, runJobKey } from "#lib/jobs/payloads";
import { sanitize } from "#lib/redaction/sanitize";
import { limitErrors, type RunLimits } from "#lib/runs/run-limits";
import type { RunRow } from "#lib/runs/run-row";
import { seal } from "#lib/secrets/seal";
import { storableJson } from "#lib/support/storable-json";

/** A run about to be written. */
export interface NewRunRow {
  id: string;
  workspaceId: string;
  workflowId: string;
  versionId: string | null;
  definition: Definition | null;
  action: { id: string; slug: string; releaseId: string | null; releaseVersion: number; approvalPolicy: string } | null;
  source: RunSource;
  status: "accepted" | "waiting_for_approval" | "succeeded";
  dryRun: boolean;
  /** The caller's own values, defaults filled in. */
  input: JsonObject;
  correlationId: string;
  traceparent: string | null;
  resumeFromRunId: string | null;
  resumeFromStepId: string | null;
  parentRunId: string | null;
  parentStep: string | null;
  depth: number;
  userId: string | null;
  apiKeyId: string | null;
  subscriptionId: string | null;
  idempotency: { key: string; payloadHash: Buffer } | null;
}

export type InsertedRun =
  | { outcome: "created"; row: RunRow }
  | { outcome: "replayed" | "key_reused" | "stale" | "month_limit" }
  | { outcome: "user_limit"; retryAfterSeconds: number };

interface CreateRunRow {
  outcome: InsertedRun["outcome"];
  status: RunStatus;
  error: RunError | null;
  created_at: Date;
  retry_after: number;
}

interface InsertOptions {
  limits: RunLimits;
  /** True where nobody waits for the answer: over a limit the run is written as failed instead of refused. */
  failsOverLimit: boolean;
  /** True where the caller calls announceJob once the row is committed; the job is then written without a notice. */
  announcesJob: boolean;
}

/**
 * Calls create_run (see the migrations), one round trip: idempotency key, action, user's hour and month's quota are
 * checked under their locks, then row and job are written. The row holds the sanitized input; the caller's own values go
 * beside it, sealed, only where sanitizing changed something.
 */
export async function insertRun(
  tx: Db,
  run: NewRunRow,
  { limits, failsOverLimit, announcesJob }: InsertOptions,
): Promise<InsertedRun> {
  const { input, columns, sealedInput, job } = newRunParameters(run, { announcesJob });
  const { rows } = await tx.query<CreateRunRow>({
    name: "create_run",
    text: "select * from create_run($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    values: [
      columns,
      sealedInput,
      run.action?.releaseId ?? null,
      run.dryRun ? null : (run.action?.approvalPolicy ?? null),
      limits.perUserPerHour,
      limits.perMonth,
      failsOverLimit ? JSON.stringify(limitErrors(limits)) : null,
      run.idempotency?.key ?? null,
      run.idempotency?.payloadHash ?? null,
      LIMITS.idempotencyKeyHours,
      job,
    ],
  });
  const row = rows[0];
  if (!row) throw new Error("create_run gave no answer");
  switch (row.outcome) {
    case "created":
      return { outcome: "created", row: rowOf(run, input, row) };
    case "user_limit":
      return { outcome: "user_limit", retryAfterSeconds: row.retry_after };
    default:
      return { outcome: row.outcome };
  }
}

/** What create_run takes of a new run: its columns, and apart from them what sanitizing would have changed. */
export function newRunParameters(run: NewRunRow, { announcesJob }: Pick<InsertOptions, "announcesJob">) {
  const input = sanitize(run.input);
  const sealedInput = input === run.input ? null : seal(run.workspaceId, `input|${run.id}`, run.input);
  const announcement = announcesJob ? { announced_by_caller: true } : {};
  const job = JSON.stringify({ ...RUN_JOB, key: runJobKey(run.id), ...announcement });
  return { input, columns: storableJson(columnsOf(run, input)), sealedInput, job };
}

/** The columns of `runs` by name. */
function columnsOf(run: NewRunRow, input: JsonObject): JsonObject {
  return {
    id: run.id,
    workspace_id: run.workspaceId,
    workflow_id: run.workflowId,
    workflow_version_id: run.versionId,
    definition: run.definition,
    action_id: run.action?.id ?? null,
    action_slug: run.action?.slug ?? null,
    action_release_version: run.action?.releaseVersion ?? null,
    source: run.source,
    status: run.status,
    dry_run: run.dryRun,
    input,
    correlation_id: run.correlationId,
    traceparent: run.traceparent,
    resume_from_run_id: run.resumeFromRunId,
    resume_from_step_id: run.resumeFromStepId,
    parent_run_id: run.parentRunId,
    parent_step: run.parentStep,
    depth: run.depth,
    user_id: run.userId,
    api_key_id: run.apiKeyId,
    subscription_id: run.subscriptionId,
  };
}

/** What reading the row would give: the answer needs no second round trip. */
function rowOf(run: NewRunRow, input: JsonObject, created: CreateRunRow): RunRow {
  return {
    id: run.id,
    workflow_id: run.workflowId,
    workflow_version_id: run.versionId,
    definition: run.definition,
    action_slug: run.action?.slug ?? null,
    action_release_version: run.action?.releaseVersion ?? null,
    source: run.source,
    status: created.status,
    dry_run: run.dryRun,
    input,
    output: null,
    error: created.error,
    correlation_id: run.correlationId,
    resume_from_run_id: run.resumeFromRunId,
    created_at: created.created_at,
    started_at: null,
    completed_at: created.error ? created.created_at : null,
    approval: null,
    events: null,
  };
}
