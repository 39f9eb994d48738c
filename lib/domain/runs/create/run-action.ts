import { ApiError, type ApiErrorCode } from "#lib/contract/api-error";
import type { JsonObject } from "#lib/contract/json-schema";
import type { Plan } from "#lib/contract/plans";
import type { RunObject } from "#lib/contract/run";
import { getRunnableAction, type RunnableAction, recallRunnableAction } from "#lib/domain/actions/get-runnable-action";
import type { MadeRun } from "#lib/domain/runs/create/answer-runs";
import { createRun } from "#lib/domain/runs/create/create-run";
import { findFirstAnswers, type IdempotentCall } from "#lib/domain/runs/create/find-first-answers";
import type { RunRequest } from "#lib/domain/runs/create/prepare-run";

export interface ActionCall {
  workspaceId: string;
  plan: Plan;
  slug: string;
  input: JsonObject;
  dryRun: boolean;
  /** `action` for a key, `manual` for a person in the web application. */
  source: "action" | "manual";
  userId: string;
  apiKeyId?: string;
  /** The actions that the key is limited to. */
  allowedSlugs?: readonly string[] | null;
  correlationId?: string | undefined;
  traceparent?: string | undefined;
  idempotencyKey?: string | undefined;
}

export interface AnsweredCall {
  run: RunObject;
  /** True if this is the first answer to an idempotency key, returned again. */
  isReplayed: boolean;
}

/** An action that changes during every attempt is being republished in a loop. */
export const ATTEMPTS = 3;

/**
 * Refusals that depend on the action or its schema. An earlier answer to the same key may still be valid despite them.
 */
const REFUSALS: ReadonlySet<ApiErrorCode> = new Set([
  "ACTION_NOT_FOUND",
  "ACTION_UNAVAILABLE",
  "INPUT_VALIDATION_FAILED",
]);

export function dependsOnAction(error: ApiError): boolean {
  return REFUSALS.has(error.code);
}

/**
 * Calls a published action (contract, Endpoints). Uses the action as this process last read it; create_run creates the
 * run only while that is still current, so the usual call is one round trip.
 * @throws ApiError ACTION_NOT_FOUND, ACTION_UNAVAILABLE, and what createRun throws
 */
export async function runAction(call: ActionCall): Promise<AnsweredCall> {
  try {
    const made = (await tryRecalled(call)) ?? (await tryCurrent(call));
    return { run: made.run, isReplayed: made.outcome === "replayed" };
  } catch (error) {
    // The same call may have been answered before the action was paused or its schema changed. That answer is returned.
    const earlier = error instanceof ApiError && dependsOnAction(error) ? idempotentCall(call) : null;
    const [run] = earlier ? await findFirstAnswers([earlier]) : [];
    if (!run) throw error;
    return { run, isReplayed: true };
  }
}

async function tryRecalled(call: ActionCall): Promise<MadeRun | null> {
  const recalled = recallRunnableAction(call.workspaceId, call.slug);
  if (!recalled) return null;
  try {
    const made = await createRun(requestOf(call, recalled));
    return made.outcome === "stale" ? null : made;
  } catch (error) {
    // The cached schema may be outdated; the current one decides.
    if (error instanceof ApiError && error.code === "INPUT_VALIDATION_FAILED") return null;
    throw error;
  }
}

async function tryCurrent(call: ActionCall): Promise<MadeRun> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const made = await createRun(requestOf(call, await getRunnableAction(call.workspaceId, call.slug)));
    if (made.outcome !== "stale") return made;
  }
  throw actionIsChanging();
}

export function actionIsChanging(): ApiError {
  return new ApiError("concurrent_change", "The action is being changed. Try again.", { retryAfterSeconds: 1 });
}

export function requestOf(call: ActionCall, action: RunnableAction): RunRequest {
  const { slug: _, ...rest } = call;
  return {
    ...rest,
    target: {
      workflowId: action.workflowId,
      versionId: action.versionId,
      action: { ...action },
      inputSchema: action.inputSchema,
    },
  };
}

/** Returns what finds the first answer to a call, or null for a call without an idempotency key. */
export function idempotentCall({
  idempotencyKey,
  workspaceId,
  slug,
  input,
  dryRun,
}: ActionCall): IdempotentCall | null {
  return idempotencyKey === undefined ? null : { workspaceId, actionSlug: slug, key: idempotencyKey, input, dryRun };
}
