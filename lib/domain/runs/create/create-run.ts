import type { ApprovalPolicy } from "#lib/contract/action";
import { ApiError } from "#lib/contract/api-error";
import type { Definition } from "#lib/contract/graph";
import type { InputSchema, JsonObject } from "#lib/contract/json-schema";
import type { Plan } from "#lib/contract/plans";
import { isWaiting, type RunObject, type RunSource } from "#lib/contract/run";
import { applyDefaults } from "#lib/core/input/apply-defaults";
import { validateInput } from "#lib/core/input/validate-input";
import type { Mask } from "#lib/core/redaction/mask-texts";
import { openApproval } from "#lib/domain/approvals/open-approval";
import type { ApprovalRow } from "#lib/domain/approvals/present-approval";
import { findFirstAnswer, hashPayload } from "#lib/domain/runs/create/find-first-answer";
import { type InsertedRun, insertRun, type NewRun } from "#lib/domain/runs/create/insert-run";
import { limitRefusal, runLimits } from "#lib/domain/runs/create/run-limits";
import { notifyRuns } from "#lib/domain/runs/notify/notify-runs";
import { presentNewRun, presentRun } from "#lib/domain/runs/read/present-run";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import type { Db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";
import { announceJob } from "#lib/platform/jobs/announce-jobs";
import { uuidv7 } from "#lib/support/ids";

/** What a run executes: an action's release, a workflow version, or a draft. */
export interface RunTarget {
  workflowId: string;
  /** Null for a draft; `definition` is then set. */
  versionId: string | null;
  definition?: Definition;
  /** Null if the run is not started through an action. */
  action: {
    id: string;
    slug: string;
    /** The run is created only while this release is still current. Null for a replay, which keeps its version. */
    releaseId: string | null;
    releaseVersion: number;
    approvalPolicy: ApprovalPolicy;
  } | null;
  /** Null if there is nothing to validate against, as for the output of a trigger. */
  inputSchema: InputSchema | null;
}

export interface RunRequest {
  workspaceId: string;
  plan: Plan;
  source: Exclude<RunSource, "dry_run">;
  dryRun: boolean;
  target: RunTarget;
  input: JsonObject;
  /** Hides secrets in the input that is shown. */
  mask?: Mask;
  /**
   * The user that the hourly run limit counts against: the signed-in user, the key's creator, or the workflow's owner.
   */
  userId: string | null;
  apiKeyId?: string;
  /** Set for a run that an event started, and for its sub-runs: they share the events' part of the user's limit. */
  subscriptionId?: string;
  /**
   * The actions that the run's sub-workflow steps may run, if a key that is limited to some actions started it; null or
   * left out is no limit.
   */
  allowedSlugs?: readonly string[] | null;
  /** Defaults to the run's own id (decisions, Correlation and idempotency). */
  correlationId?: string | undefined;
  traceparent?: string | undefined;
  idempotencyKey?: string | undefined;
  resumeFrom?: { runId: string; stepId?: string };
  parent?: { runId: string; step: string; depth: number };
}

export type CreatedRun =
  | { outcome: "created"; run: RunObject }
  /** The idempotency key was used before with the same payload, and this is the first answer. */
  | { outcome: "replayed"; run: RunObject }
  /** The action no longer matches `target` and nothing was written. Read the action again. */
  | { outcome: "stale" };

/**
 * Sources without a caller: above a limit, a failed run is written instead of a refusal (decisions, Runs: user limit).
 */
const WITHOUT_CALLER: ReadonlySet<RunSource> = new Set(["webhook", "schedule"]);

/**
 * Creates a run, whatever its source; no other code does (contract, Run). Validates the input, fills in defaults,
 * enforces the limits, and writes row, approval and job in one transaction: in `tx`, or in its own, which is usually a
 * single statement.
 * @throws ApiError INPUT_VALIDATION_FAILED before anything is written; RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED (with a
 * caller); IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS
 */
export async function createRun(request: RunRequest, tx?: Db): Promise<CreatedRun> {
  const { inputSchema } = request.target;
  if (inputSchema) {
    const details = validateInput(inputSchema, request.input);
    if (details.length > 0) {
      throw new ApiError("INPUT_VALIDATION_FAILED", "The input does not match the action's schema.", { details });
    }
  }
  const input = inputSchema ? applyDefaults(inputSchema, request.input) : request.input;
  const { inserted, approval } = await writeRun(newRun(request, input), request, tx);
  return answer(request, inserted, approval);
}

function newRun(request: RunRequest, input: JsonObject): NewRun {
  const { target, dryRun, idempotencyKey } = request;
  const id = uuidv7();
  const isHeld = target.action?.approvalPolicy === "always";
  return {
    columns: {
      id,
      workspace_id: request.workspaceId,
      workflow_id: target.workflowId,
      workflow_version_id: target.versionId,
      definition: target.definition ?? null,
      action_id: target.action?.id ?? null,
      action_slug: target.action?.slug ?? null,
      action_release_version: target.action?.releaseVersion ?? null,
      source: dryRun ? "dry_run" : request.source,
      status: dryRun ? "succeeded" : isHeld ? "waiting_for_approval" : "accepted",
      dry_run: dryRun,
      input,
      correlation_id: request.correlationId ?? id,
      traceparent: request.traceparent ?? null,
      resume_from_run_id: request.resumeFrom?.runId ?? null,
      resume_from_step_id: request.resumeFrom?.stepId ?? null,
      parent_run_id: request.parent?.runId ?? null,
      parent_step: request.parent?.step ?? null,
      depth: request.parent?.depth ?? 0,
      user_id: request.userId,
      api_key_id: request.apiKeyId ?? null,
      subscription_id: request.subscriptionId ?? null,
      allowed_action_slugs: request.allowedSlugs ?? null,
    },
    ...(request.mask ? { mask: request.mask } : {}),
    release: target.action && { id: target.action.releaseId, approvalPolicy: target.action.approvalPolicy },
    idempotency:
      idempotencyKey === undefined ? null : { key: idempotencyKey, payloadHash: hashPayload(request.input, dryRun) },
  };
}

async function writeRun(
  run: NewRun,
  request: RunRequest,
  tx: Db | undefined,
): Promise<{ inserted: InsertedRun; approval: ApprovalRow | null }> {
  const limits = runLimits(request.plan);
  const { id, workspace_id: workspaceId } = run.columns;
  // Without `tx` the run is one statement, already committed here. Within a transaction the caller's commit sends the
  // notice.
  const options = { limits, failsOverLimit: WITHOUT_CALLER.has(run.columns.source), announcesJob: tx === undefined };
  try {
    if (!isWaiting(run.columns.status)) {
      const inserted = await insertRun(run, options, tx);
      const isQueued = inserted.outcome === "created" && inserted.row.status === "accepted";
      if (isQueued && options.announcesJob) announceJob();
      return { inserted, approval: null };
    }
    const write = async (held: Db) => {
      const inserted = await insertRun(run, options, held);
      const isHeld = inserted.outcome === "created" && isWaiting(inserted.row.status);
      const approval = isHeld ? await openApproval(held, { workspaceId, runId: id, kind: "policy" }) : null;
      return { inserted, approval };
    };
    if (tx) return await write(tx);
    const written = await transaction(write);
    // No worker announces this run, but approvers have the inbox open.
    if (written.approval) await notifyRuns([{ id, workspaceId }], { haveEnded: false });
    return written;
  } catch (error) {
    // create_run waits for an equal call until its lock_timeout; then the call is a conflict.
    if (!isDatabaseFault(error, "lock_not_available")) throw error;
    const message = "A call with this idempotency key is still being answered.";
    throw new ApiError("IDEMPOTENCY_IN_PROGRESS", message, { retryAfterSeconds: 1, cause: error });
  }
}

async function answer(request: RunRequest, inserted: InsertedRun, approval: ApprovalRow | null): Promise<CreatedRun> {
  switch (inserted.outcome) {
    case "created": {
      const stored = { ...inserted.row, approval };
      return { outcome: "created", run: stored.error ? presentRun(stored, { steps: [] }) : presentNewRun(stored) };
    }
    case "replayed":
      return { outcome: "replayed", run: await getFirstAnswer(request) };
    case "stale":
      return { outcome: "stale" };
    case "key_reused":
      throw new ApiError("IDEMPOTENCY_KEY_REUSED", "This idempotency key was used with another payload.");
    case "user_limit":
    case "month_limit":
      throw limitRefusal({
        limit: inserted.outcome,
        plan: request.plan,
        isEvent: request.subscriptionId !== undefined,
        retryAfterSeconds: inserted.outcome === "user_limit" ? inserted.retryAfterSeconds : null,
      });
  }
}

async function getFirstAnswer(request: RunRequest): Promise<RunObject> {
  const { idempotencyKey: key, target, workspaceId, input, dryRun } = request;
  const call = key !== undefined &&
    target.action && { workspaceId, actionSlug: target.action.slug, key, input, dryRun };
  const run = call ? await findFirstAnswer(call) : null;
  if (!run) throw new Error("the run of a replayed idempotency key no longer exists");
  return run;
}
