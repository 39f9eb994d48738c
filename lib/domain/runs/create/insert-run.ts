import type { Definition } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import type { RunError, RunSource, RunStatus } from "#lib/contract/run";
import { sanitize } from "#lib/core/redaction/sanitize";
import { inputContext } from "#lib/domain/journal/checkpoints/sealed-contexts";
import { limitErrors, type RunLimits } from "#lib/domain/runs/create/run-limits";
import type { RunRow } from "#lib/domain/runs/read/run-row";
import { wasRefused } from "#lib/platform/db/classify-database-error";
import { type Db, db } from "#lib/platform/db/pool";
import { RUN_JOB, runJobKey } from "#lib/platform/jobs/payloads";
import { seal } from "#lib/platform/secrets/seal";
import { gather } from "#lib/support/gather";
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
 * @param tx left out: a transaction of its own, which runs of the same moment share
 */
export async function insertRun(run: NewRunRow, options: InsertOptions, tx?: Db): Promise<InsertedRun> {
  const { limits } = options;
  const { input, columns, sealedInput, job } = newRunParameters(run, options);
  const rest = {
    workspace_id: run.workspaceId,
    user_id: run.userId,
    sealed_input: sealedInput?.toString("base64"),
    release_id: run.action?.releaseId,
    policy: run.dryRun ? null : run.action?.approvalPolicy,
    user_limit: limits.perUserPerHour,
    month_limit: limits.perMonth,
    refusal: options.failsOverLimit ? limitErrors(limits) : null,
    idempotency_key: run.idempotency?.key,
    payload_hash: run.idempotency?.payloadHash.toString("base64"),
  };
  const given = `${JSON.stringify(rest).slice(0, -1)},"columns":${columns},"job":${job}}`;
  // Who has an idempotency key may have to wait for an equal call, and must not keep others waiting.
  const row = await (tx || run.idempotency ? createAlone(given, tx ?? db()) : createTogether(given));
  switch (row.outcome) {
    case "created":
      return { outcome: "created", row: rowOf(run, input, row) };
    case "user_limit":
      return { outcome: "user_limit", retryAfterSeconds: row.retry_after };
    default:
      return { outcome: row.outcome };
  }
}

/** One commit, and with it one wait for the disk, for runs that are made at the same moment. */
const createTogether = gather((given: string[]) => createRuns(given, db()), {
  atOnce: 2,
  max: 50,
  isItemsFault: wasRefused,
});

async function createAlone(given: string, from: Db): Promise<CreateRunRow> {
  const [row] = await createRuns([given], from);
  if (!row) throw new Error("create_run gave no answer");
  return row;
}

/** @returns in the order given */
async function createRuns(given: readonly string[], from: Db): Promise<CreateRunRow[]> {
  const { rows } = await from.query<CreateRunRow>({
    name: "create_runs",
    // Months and users are locked until the commit; taken in one order by every process, they seldom cross.
    text: `with given as (
      select * from rows from (json_to_recordset($1::json) as (workspace_id uuid, user_id uuid, columns jsonb,
        sealed_input text, release_id uuid, policy text, user_limit integer, month_limit integer, refusal jsonb,
        idempotency_key text, payload_hash text, job jsonb)) with ordinality
      order by workspace_id, user_id, ordinality
    )
    select made.* from given g
    cross join lateral create_run(g.columns, decode(g.sealed_input, 'base64'), g.release_id, g.policy, g.user_limit,
      g.month_limit, g.refusal, g.idempotency_key, decode(g.payload_hash, 'base64'), $2, g.job) made
    order by g.ordinality`,
    values: [`[${given.join(",")}]`, LIMITS.idempotencyKeyHours],
  });
  return rows;
}

/** What create_run takes of a new run: its columns, and apart from them what sanitizing would have changed. */
export function newRunParameters(run: NewRunRow, { announcesJob }: Pick<InsertOptions, "announcesJob">) {
  const input = sanitize(run.input);
  const sealedInput = input === run.input ? null : seal(run.workspaceId, inputContext(run.id), run.input);
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
