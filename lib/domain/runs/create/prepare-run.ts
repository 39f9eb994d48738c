import type { ApprovalPolicy } from "#lib/contract/action";
import { ApiError } from "#lib/contract/api-error";
import type { Definition } from "#lib/contract/graph";
import type { InputSchema, JsonObject } from "#lib/contract/json-schema";
import type { Plan } from "#lib/contract/plans";
import type { RunSource } from "#lib/contract/run";
import { applyDefaults } from "#lib/core/input/apply-defaults";
import { findLongNumbers } from "#lib/core/input/find-hostile";
import { validateInput } from "#lib/core/input/validate-input";
import type { Mask } from "#lib/core/redaction/mask-texts";
import { hashPayload } from "#lib/domain/runs/create/find-first-answers";
import type { NewRun } from "#lib/domain/runs/create/insert-run";
import { runLimits } from "#lib/domain/runs/create/run-limits";
import { currentTraceparent } from "#lib/platform/telemetry/telemetry";
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

/**
 * Validates the input of a run and fills in its defaults.
 * @throws ApiError INPUT_VALIDATION_FAILED
 */
export function prepareRun(request: RunRequest): NewRun {
  const { inputSchema } = request.target;
  const details = inputSchema ? validateInput(inputSchema, request.input) : findLongNumbers(request.input);
  if (details.length > 0) {
    throw new ApiError("INPUT_VALIDATION_FAILED", "The input does not match the action's schema.", { details });
  }
  if (!inputSchema) return newRun(request, request.input);
  return newRun(request, applyDefaults(inputSchema, request.input));
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
      traceparent: request.traceparent ?? currentTraceparent() ?? null,
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
    limits: runLimits(request.plan),
  };
}
