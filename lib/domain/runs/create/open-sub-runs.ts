import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { isTerminal, RUN_STATUSES, type RunError, type RunObject } from "#lib/contract/run/run";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { PLANS } from "#lib/contract/workspace/plans";
import type { SubRun, SubRunRequest } from "#lib/core/engine/ports";
import type { Mask } from "#lib/core/redaction/mask-texts";
import { getRunnableAction, type RunnableAction } from "#lib/domain/actions/get-runnable-action";
import { lockLease } from "#lib/domain/journal/lock-lease";
import { announceRuns, createRuns } from "#lib/domain/runs/create/create-runs";
import { findSubRunCauses } from "#lib/domain/runs/create/find-sub-run-causes";
import { prepareRuns, type RunRequest } from "#lib/domain/runs/create/new-run";
import { runOutputContext } from "#lib/domain/runs/read/run-row";
import {
  array,
  bytea,
  enumOf,
  filled,
  integer,
  json,
  jsonb,
  nullable,
  type RowOf,
  text,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db, transaction } from "#lib/platform/db/pool";
import { unseal } from "#lib/platform/secrets/seal";
import { gather } from "#lib/support/gather";
import { leastJsonBytes } from "#lib/support/json";

interface ParentRun {
  workspaceId: string;
  lease: { runId: string; token: number };
  /** Hides the secrets of the run's definition in the inputs that are shown. */
  mask: Mask;
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

const selectSubRuns = defineStatement({
  name: "find_sub_runs",
  params: { parentRunId: uuid, steps: array(text) },
  row: {
    step: filled(text),
    runId: uuid,
    status: enumOf(RUN_STATUSES),
    output: nullable(json<JsonObject>()),
    sealed: nullable(bytea),
    error: nullable(jsonb<RunError>()),
  },
  sql: `select parent_step as step, id as "runId", status, output, output_sealed as sealed, error
        from runs where parent_run_id = $1 and parent_step = any($2)`,
});

/** An action that changes during every attempt is being republished in a loop. */
const ATTEMPTS = 3;

/** The sub-runs of steps, or the errors of steps whose sub-run can't be started. */
type Opened = Map<string, SubRun | StepError>;

/**
 * Returns a function that opens the sub-run of a step of the run. Steps that ask at the same moment, such as the
 * iterations of a loop, share their statements and one transaction.
 * @param store retries while the database is away
 */
export function subRunsOf(
  run: ParentRun,
  store: <T>(work: () => Promise<T>) => Promise<T>,
): (request: SubRunRequest) => Promise<SubRun> {
  const open = gather((requests: SubRunRequest[]) => store(() => openSubRuns(run, requests)), {
    atOnce: 1,
    max: LIMITS.batchRuns,
    bytes: {
      max: LIMITS.journalStatementBytes,
      of: ({ input }) => leastJsonBytes(input, LIMITS.journalStatementBytes),
    },
    // Not even a deadlock is the fault of one of them: `store` repeats it.
    isItemsFault: () => false,
  });
  return async (request) => {
    const opened = await open(request);
    if (opened instanceof StepError) throw opened;
    return opened;
  };
}

/**
 * Returns the sub-runs of steps: started the first time, found from then on. Sub-runs nest up to LIMITS.subWorkflowDepth
 * levels and inherit the correlation id and the actions that the key of the first run is limited to. They are created
 * under the parent's lease, so that a cancelled parent starts none, and they count against the same user's limit.
 * @returns a sub-run, or the error of the step if it can't be started, for each request, in the same order
 * @throws LeaseLost if this worker no longer has the parent's lease
 */
export async function openSubRuns(run: ParentRun, requests: readonly SubRunRequest[]): Promise<(SubRun | StepError)[]> {
  const opened: Opened = await findSubRuns(db(), run, requests);
  const missing = requests.filter(({ step }) => !opened.has(step));
  if (missing.length > 0) await startSubRuns(run, missing, opened);
  return requests.map(({ step, slug }) => opened.get(step) ?? changing(slug));
}

async function findSubRuns(
  on: Db,
  { workspaceId, lease }: ParentRun,
  requests: readonly SubRunRequest[],
): Promise<Map<string, SubRun>> {
  const found = await selectSubRuns.all(on, { parentRunId: lease.runId, steps: requests.map(({ step }) => step) });
  const failed = found.filter(({ error }) => error !== null).map(({ runId }) => runId);
  const causes = await findSubRunCauses(on, failed);
  return new Map(
    found.map(({ step, sealed, ...run }) => {
      const output = sealed ? unseal<JsonObject>(workspaceId, runOutputContext(run.runId), sealed) : run.output;
      return [step, { ...run, output, isEnded: isTerminal(run.status), cause: causes.get(run.runId) ?? null }];
    }),
  );
}

/** Starts the sub-runs of steps that have none, and adds them to `opened`. */
async function startSubRuns(run: ParentRun, requests: readonly SubRunRequest[], opened: Opened): Promise<void> {
  const parent = await readParent(run.lease.runId);
  for (const { step, slug } of requests) {
    const error = refuse(parent, slug);
    if (error) opened.set(step, error);
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const left = requests.filter(({ step }) => !opened.has(step));
    if (left.length === 0) return;
    await createSubRuns(run, parent, left, opened);
  }
}

function refuse({ depth, allowed_action_slugs: allowed }: Parent, slug: string): StepError | null {
  if (depth >= LIMITS.subWorkflowDepth) {
    return new StepError("VALIDATION_ERROR", `Sub-workflows are nested deeper than ${LIMITS.subWorkflowDepth} levels`);
  }
  return allowed && !allowed.includes(slug) ? notAllowed(slug) : null;
}

/** Adds to `opened` what it could decide; a sub-run is left out if its action changed meanwhile. */
async function createSubRuns(
  run: ParentRun,
  parent: Parent,
  requests: readonly SubRunRequest[],
  opened: Opened,
): Promise<void> {
  const wanted = await toRunRequests(run, parent, requests, opened);
  const prepared = await prepareRuns(wanted.map(({ toCreate }) => toCreate));
  const made = await transaction(async (tx) => {
    await lockLease(tx, run.lease);
    // An attempt whose answer was lost may have committed while this one waited for the lock.
    const known = await findSubRuns(tx, run, requests);
    const isMissing = (_: unknown, index: number) => !known.has(wanted[index]?.step ?? "");
    const missing = wanted.filter(isMissing);
    return { known, missing, created: await createRuns(prepared.filter(isMissing), tx) };
  });
  await announceRuns(run.workspaceId, made.created);
  for (const [step, found] of made.known) opened.set(step, found);
  for (const [index, { step, toCreate }] of made.missing.entries()) {
    const created = made.created[index];
    if (created instanceof ApiError) opened.set(step, refusal(created, toCreate.target.action?.slug ?? ""));
    else if (created && "run" in created) opened.set(step, stateOf(created.run));
  }
}

interface WantedRun {
  step: string;
  toCreate: RunRequest;
}

/** Reads each action once. The steps of an action that can't be run get their error in `opened`. */
async function toRunRequests(
  { workspaceId, lease, mask }: ParentRun,
  parent: Parent,
  requests: readonly SubRunRequest[],
  opened: Opened,
): Promise<WantedRun[]> {
  const actions = new Map<string, RunnableAction | ApiError>();
  for (const { slug } of requests) {
    if (!actions.has(slug)) actions.set(slug, await findAction(workspaceId, slug));
  }
  return requests.flatMap(({ step, slug, input, traceparent }) => {
    const action = actions.get(slug);
    if (!action) return [];
    if (action instanceof ApiError) {
      opened.set(step, refusal(action, slug));
      return [];
    }
    const { workflowId, versionId, inputSchema } = action;
    const toCreate: RunRequest = {
      workspaceId,
      plan: parent.plan,
      source: "action",
      dryRun: false,
      target: { workflowId, versionId, action, inputSchema },
      input,
      mask,
      userId: parent.user_id,
      allowedSlugs: parent.allowed_action_slugs,
      ...(parent.subscription_id === null ? {} : { subscriptionId: parent.subscription_id }),
      correlationId: parent.correlation_id,
      traceparent,
      parent: { runId: lease.runId, step, depth: parent.depth + 1 },
    };
    return [{ step, toCreate }];
  });
}

async function findAction(workspaceId: string, slug: string): Promise<RunnableAction | ApiError> {
  try {
    return await getRunnableAction(workspaceId, slug);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function changing(slug: string): StepError {
  return new StepError("UPSTREAM_ERROR", `The action ${slug} is being changed`);
}

/** Says the same of an action that does not exist, so that the key learns nothing about others. */
function notAllowed(slug: string): StepError {
  const message = `The API key that started this run cannot run the action ${slug}. Use a key that includes ${slug}, or remove the step.`;
  return new StepError("action_not_allowed", message);
}

async function readParent(runId: string): Promise<Parent> {
  const parent = await selectParent.first(db(), { runId });
  if (!parent) throw new Error(`the run ${runId} disappeared while it executes`);
  return parent;
}

function stateOf({ run_id, status, output, error }: RunObject): SubRun {
  return { runId: run_id, isEnded: isTerminal(status), status, output, error, cause: null };
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
