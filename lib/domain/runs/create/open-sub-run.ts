import { ApiError } from "#lib/contract/api-error";
import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import { PLANS } from "#lib/contract/plans";
import { isTerminal, RUN_STATUSES, type RunError, type RunObject } from "#lib/contract/run";
import { StepError } from "#lib/contract/step-error";
import type { SubRun, SubRunRequest } from "#lib/core/engine/ports";
import { type Mask, NO_MASK } from "#lib/core/redaction/mask-texts";
import { getRunnableAction } from "#lib/domain/actions/get-runnable-action";
import { lockLease } from "#lib/domain/journal/lock-lease";
import { createRun, type RunRequest } from "#lib/domain/runs/create/create-run";
import { array, enumOf, integer, json, jsonb, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";

interface ParentRun {
  workspaceId: string;
  lease: { runId: string; token: number };
}

/** The columns that a sub-run inherits from its parent. */
const PARENT = {
  plan: enumOf(PLANS),
  user_id: nullable(uuid),
  correlation_id: text,
  depth: integer,
  subscription_id: nullable(uuid),
  allowed_action_slugs: nullable(array(text)),
};
type Parent = RowOf<typeof PARENT>;

const selectParent = defineStatement({
  name: "read_parent_run",
  params: { runId: uuid },
  row: PARENT,
  // A run that was created before its limit was stored has the key that started it.
  sql: `select w.plan, r.user_id, r.correlation_id, r.depth, r.subscription_id,
          coalesce(r.allowed_action_slugs, (select k.action_slugs from api_keys k where k.id = r.api_key_id))
            as allowed_action_slugs
        from runs r join workspaces w on w.id = r.workspace_id
        where r.id = $1`,
});

const selectSubRun = defineStatement({
  name: "find_sub_run",
  params: { parentRunId: uuid, step: text },
  row: {
    runId: uuid,
    status: enumOf(RUN_STATUSES),
    output: nullable(json<JsonObject>()),
    error: nullable(jsonb<RunError>()),
  },
  sql: `select id as "runId", status, output, error from runs where parent_run_id = $1 and parent_step = $2`,
});

/** An action that changes during every attempt is being republished in a loop. */
const ATTEMPTS = 3;

/**
 * Returns the sub-run of a step: started the first time, found from then on. Sub-runs nest up to
 * LIMITS.subWorkflowDepth levels and inherit the correlation id and the actions that the key of the first run is limited
 * to. A sub-run is created under the parent's lease, so that
 * a cancelled parent starts none, and it counts against the same user's limit.
 * @param mask hides the secrets of the parent's definition in the input that is shown
 * @throws LeaseLost if this worker no longer has the parent's lease; StepError if the sub-run can't be started
 */
export async function openSubRun(run: ParentRun, request: SubRunRequest, mask: Mask = NO_MASK): Promise<SubRun> {
  const { runId } = run.lease;
  const known = await findSubRun(db(), runId, request.step);
  if (known) return known;
  try {
    return await startSubRun(run, request, mask);
  } catch (error) {
    if (error instanceof ApiError) throw refusal(error, request.slug);
    throw error;
  }
}

async function findSubRun(tx: Db, parentRunId: string, step: string): Promise<SubRun | null> {
  const run = await selectSubRun.first(tx, { parentRunId, step });
  return run ? { ...run, isEnded: isTerminal(run.status) } : null;
}

async function startSubRun(run: ParentRun, request: SubRunRequest, mask: Mask): Promise<SubRun> {
  const { workspaceId, lease } = run;
  const parent = await readParent(lease.runId);
  const depth = parent.depth + 1;
  if (depth > LIMITS.subWorkflowDepth) {
    throw new StepError("VALIDATION_ERROR", `Sub-workflows are nested deeper than ${LIMITS.subWorkflowDepth} levels`);
  }
  const allowedSlugs = parent.allowed_action_slugs;
  if (allowedSlugs && !allowedSlugs.includes(request.slug)) throw notAllowed(request.slug);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const action = await getRunnableAction(workspaceId, request.slug);
    const { workflowId, versionId, inputSchema } = action;
    const toCreate: RunRequest = {
      workspaceId,
      plan: parent.plan,
      source: "action",
      dryRun: false,
      target: { workflowId, versionId, action, inputSchema },
      input: request.input,
      mask,
      userId: parent.user_id,
      allowedSlugs,
      ...(parent.subscription_id === null ? {} : { subscriptionId: parent.subscription_id }),
      correlationId: parent.correlation_id,
      traceparent: request.traceparent,
      parent: { runId: lease.runId, step: request.step, depth },
    };
    const created = await transaction(async (tx) => {
      await lockLease(tx, lease);
      // An attempt whose answer was lost may have committed while this one waited for the lock.
      const known = await findSubRun(tx, lease.runId, request.step);
      return known ?? createRun(toCreate, tx);
    });
    if (!("outcome" in created)) return created;
    if (created.outcome !== "stale") return stateOf(created.run);
  }
  throw new StepError("UPSTREAM_ERROR", `The action ${request.slug} is being changed`);
}

/** Says the same of an action that does not exist, so that the key learns nothing about others. */
function notAllowed(slug: string): StepError {
  const message = `The API key that started this run is limited to other actions than ${slug}. Use a key that includes ${slug}, or remove the step.`;
  return new StepError("action_not_allowed", message);
}

async function readParent(runId: string): Promise<Parent> {
  const parent = await selectParent.first(db(), { runId });
  if (!parent) throw new Error(`the run ${runId} disappeared while it executes`);
  return parent;
}

function stateOf({ run_id, status, output, error }: RunObject): SubRun {
  return { runId: run_id, isEnded: isTerminal(status), status, output, error };
}

/** Converts a refused call to the step's error. Only a limit can pass later, so only a limit can be retried. */
function refusal(error: ApiError, slug: string): StepError {
  const { message, cause, retryAfterSeconds } = error;
  if (error.code === "RATE_LIMIT_EXCEEDED") {
    const retryAfterMs = retryAfterSeconds === undefined ? {} : { retryAfterMs: retryAfterSeconds * 1000 };
    return new StepError(error.reason === "user_run_limit" ? error.reason : "RATE_LIMITED", message, {
      ...retryAfterMs,
      cause,
    });
  }
  const fields = error.code === "INPUT_VALIDATION_FAILED" ? ` (${fieldsOf(error)})` : "";
  return new StepError("VALIDATION_ERROR", `${slug}: ${message}${fields}`, { cause });
}

function fieldsOf({ details }: ApiError): string {
  return Array.isArray(details) ? details.map((detail) => detail.message).join("; ") : "";
}
