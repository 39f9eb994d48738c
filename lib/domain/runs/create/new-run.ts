import { createHash } from "node:crypto";
import type { ApprovalPolicy } from "#lib/contract/action/action";
import { ApiError } from "#lib/contract/error/api-error";
import type { RunError, RunSource } from "#lib/contract/run/run";
import type { InputSchema, JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import type { Plan } from "#lib/contract/workspace/plans";
import { applyDefaults } from "#lib/core/input/apply-defaults";
import { findLongNumbers } from "#lib/core/input/assert-storable";
import { validateInput } from "#lib/core/input/validate-input";
import type { Mask } from "#lib/core/redaction/mask-texts";
import { type PreparedInput, prepareInput, sanitize } from "#lib/core/redaction/sanitize";
import { limitErrors, type RunLimit, runLimits } from "#lib/domain/runs/create/run-limits";
import { inputContext, type NewRunColumns } from "#lib/domain/runs/read/run-row";
import { sealJson } from "#lib/platform/secrets/seal";
import { currentTraceparent } from "#lib/platform/telemetry/telemetry";
import { uuidv7 } from "#lib/support/ids";
import { canonicalJson } from "#lib/support/json";
import { isLargeJson, nextTurn, takeTurn } from "#lib/support/take-turn";

/** What a caller asks for. */
export interface RunRequest {
  workspaceId: string;
  plan: Plan;
  source: Exclude<RunSource, "dry_run">;
  dryRun: boolean;
  /** What the run executes: an action's release, a workflow version, or a draft. */
  target: {
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
  };
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
  /** `fail`: above a limit, the run is written as failed before any step. Left out, the call is refused. */
  overLimit?: "refuse" | "fail";
}

/** A run to insert: the columns of its row, and what the creating transaction needs to know besides them. */
export interface NewRun extends NewRunColumns {
  /** JSON of `input`. An event has only this, and an empty `input`. */
  shown: string;
  keepsKeyOrder: boolean;
  /** The caller's own values if `input`, which is sanitized, differs from them: sealed, as base64. */
  sealed_input: string | null;
  plan: Plan;
  /** Null for a run that is not bound to a release of an action. */
  release_id: string | null;
  /** The approval policy as the caller read it; null for any. */
  policy: ApprovalPolicy | null;
  /** 0 means no limit (`RunLimits`). */
  user_limit: number;
  month_limit: number;
  /** Set for a run that an event started. */
  event_limit: number | null;
  /** The errors of a run that fails above a limit. Null refuses the call. */
  refusal: Record<RunLimit, RunError> | null;
  idempotency_key: string | null;
  /** As base64. */
  payload_hash: string | null;
  /** Set for a run that an event starts: the row of the delivery log, and what else check_events needs. */
  delivery: {
    id: string;
    subscription_id: string;
    workspace_id: string;
    dedupe_key: string | null;
    request: JsonObject;
  } | null;
  dedupe_hours: number | null;
  moment: { expected: Date; fired: Date; next_at: Date | null; missed: number } | null;
}

/**
 * Does what needs no database: validates the inputs, fills in defaults and sanitizes. Other requests get their turn in
 * between.
 * @returns a run to create, or INPUT_VALIDATION_FAILED, for each request, in the same order
 */
export async function prepareRuns(requests: readonly RunRequest[]): Promise<(NewRun | ApiError)[]> {
  const prepared: (NewRun | ApiError)[] = [];
  for (const request of requests) {
    const turn = requests.length > 1 ? takeTurn() : null;
    if (turn !== null) await turn;
    prepared.push(await prepareRun(request));
  }
  return prepared;
}

async function prepareRun(request: RunRequest): Promise<NewRun | ApiError> {
  const { target, mask, input: given } = request;
  const { inputSchema } = target;
  const details = inputSchema ? validateInput(inputSchema, given) : findLongNumbers(given);
  if (details.length > 0) {
    return new ApiError("INPUT_VALIDATION_FAILED", "The input does not match the action's schema.", { details });
  }
  const original = inputSchema ? applyDefaults(inputSchema, given) : given;
  // The input was just validated, and is sanitized and serialized next.
  if (isLargeJson(given)) await nextTurn();
  const input = sanitize(mask ? mask(original) : original);
  return {
    ...newRun(request, prepareInput(original, input)),
    input,
    idempotency_key: request.idempotencyKey ?? null,
    payload_hash: request.idempotencyKey === undefined ? null : hashPayload(request),
  };
}

/** Describes a run whose input is JSON already. */
export function newRun(
  request: Omit<RunRequest, "input" | "mask">,
  { shown, keepsKeyOrder, original }: PreparedInput,
): NewRun {
  const { workspaceId, plan, source, target, dryRun, subscriptionId, overLimit } = request;
  const { action } = target;
  const id = uuidv7();
  const limits = runLimits(plan);
  return {
    id,
    workspace_id: workspaceId,
    workflow_id: target.workflowId,
    workflow_version_id: target.versionId,
    definition: target.definition ?? null,
    action_id: action?.id ?? null,
    action_slug: action?.slug ?? null,
    action_release_version: action?.releaseVersion ?? null,
    source: dryRun ? "dry_run" : source,
    status: dryRun ? "succeeded" : action?.approvalPolicy === "always" ? "waiting_for_approval" : "accepted",
    dry_run: dryRun,
    input: {},
    shown,
    keepsKeyOrder,
    sealed_input: original && sealJson(workspaceId, inputContext(id), original).toString("base64"),
    correlation_id: request.correlationId ?? id,
    traceparent: request.traceparent ?? currentTraceparent() ?? null,
    resume_from_run_id: request.resumeFrom?.runId ?? null,
    resume_from_step_id: request.resumeFrom?.stepId ?? null,
    parent_run_id: request.parent?.runId ?? null,
    parent_step: request.parent?.step ?? null,
    depth: request.parent?.depth ?? 0,
    user_id: request.userId,
    api_key_id: request.apiKeyId ?? null,
    subscription_id: subscriptionId ?? null,
    allowed_action_slugs: request.allowedSlugs ?? null,
    plan,
    release_id: action?.releaseId ?? null,
    policy: dryRun ? null : (action?.approvalPolicy ?? null),
    user_limit: limits.perUserPerHour,
    month_limit: limits.perMonth,
    event_limit: subscriptionId === undefined ? null : limits.eventsPerUserPerHour,
    refusal: overLimit === "fail" ? limitErrors(limits) : null,
    idempotency_key: null,
    payload_hash: null,
    delivery: null,
    dedupe_hours: null,
    moment: null,
  };
}

/**
 * Hashes what makes two calls with one idempotency key equal: the caller's input, and whether the call is a dry run. Equal
 * JSON values are equal, such as 1, 1.0 and 1e0. A call with a number that would lose digits creates no run, and equals
 * none.
 * @returns base64
 */
export function hashPayload({ input, dryRun }: Pick<RunRequest, "input" | "dryRun">): string {
  return createHash("sha256")
    .update(canonicalJson({ input, dry_run: dryRun, ...unequal(input) }))
    .digest("base64");
}

function unequal(input: JsonObject): { long?: true } {
  return findLongNumbers(input).length > 0 ? { long: true } : {};
}
