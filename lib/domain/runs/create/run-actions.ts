import { ApiError, type ApiErrorCode } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { RunObject } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Plan } from "#lib/contract/workspace/plans";
import { getRunnableAction, type RunnableAction, recallRunnableAction } from "#lib/domain/actions/get-runnable-action";
import { announceRuns, type CreatedRun, createRuns, findFirstAnswers } from "#lib/domain/runs/create/create-runs";
import { lockIdempotencyKeys } from "#lib/domain/runs/create/insert-runs";
import { hashPayload, type NewRun, prepareRuns, type RunRequest } from "#lib/domain/runs/create/new-run";
import { openTurns, type QueuedCall } from "#lib/platform/child-pool/fair-turns";
import { repeatableTransaction } from "#lib/platform/db/pool";
import { shareInProcess } from "#lib/support/share-in-process";

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

/** The part of a call that each item of a batch has for itself. */
export type BatchItem = Pick<ActionCall, "input" | "dryRun" | "correlationId" | "idempotencyKey">;

export interface AnsweredCall {
  run: RunObject;
  /** True if this is the first answer to an idempotency key, returned again. */
  isReplayed: boolean;
}

/** An action that changes during every attempt is being republished in a loop. */
const ATTEMPTS = 4;

/** Refusals that depend on the action, and are the answer to every call of it. */
const OF_ACTION: readonly ApiErrorCode[] = ["ACTION_NOT_FOUND", "ACTION_UNAVAILABLE"];
/** Refusals despite which an earlier answer to the same key may still be valid. */
const OUTDATED: readonly ApiErrorCode[] = [...OF_ACTION, "INPUT_VALIDATION_FAILED"];

function isOneOf(codes: readonly ApiErrorCode[], thrown: unknown): thrown is ApiError {
  return thrown instanceof ApiError && codes.includes(thrown.code);
}

/**
 * Calls a published action (contract, Endpoints). The usual call is one round trip.
 * @throws ApiError ACTION_NOT_FOUND, ACTION_UNAVAILABLE, INPUT_VALIDATION_FAILED, and the refusals of createRuns
 */
export async function runAction(call: ActionCall): Promise<AnsweredCall> {
  const [answer] = await answerCalls(call, [call], createRuns);
  if (!answer) throw new Error("a call has no answer");
  if (answer instanceof ApiError) throw answer;
  return answer;
}

/**
 * Calls a published action several times in one transaction (decisions, Batches). Every item gets what runAction would
 * return or throw.
 * @returns an answer or a refusal for each item, in the same order
 * @throws ApiError ACTION_NOT_FOUND, ACTION_UNAVAILABLE if that is the answer to every item; `too_many_batches`
 */
export function runActions({
  items,
  ...common
}: Omit<ActionCall, keyof BatchItem> & { items: readonly BatchItem[] }): Promise<(AnsweredCall | ApiError)[]> {
  const calls = items.map((item) => ({ ...common, ...item }));
  return inBatchTurn(common.apiKeyId ?? common.userId, () => answerCalls(common, calls, createBatch));
}

type Create = (runs: readonly (NewRun | ApiError)[]) => Promise<(CreatedRun | ApiError)[]>;
type Answer = AnsweredCall | ApiError;
type CalledAction = Pick<ActionCall, "workspaceId" | "slug">;

/** @throws ApiError if the action can't be run and no call was answered before */
async function answerCalls(called: CalledAction, calls: readonly ActionCall[], create: Create): Promise<Answer[]> {
  try {
    return await findEarlier(calls, await makeRuns(called, calls, create));
  } catch (error) {
    if (!isOneOf(OF_ACTION, error)) throw error;
    const refused = calls.map(() => error);
    const answers = await findEarlier(calls, refused);
    if (answers.every((answer) => answer === error)) throw error;
    return answers;
  }
}

/** The same call may have been answered before the action was paused or its schema changed. That answer is returned. */
async function findEarlier(calls: readonly ActionCall[], answers: readonly Answer[]): Promise<Answer[]> {
  const keyed = calls.filter((call, index) => call.idempotencyKey !== undefined && isOneOf(OUTDATED, answers[index]));
  const earlier = await findFirstAnswers(keyed.map(keyOf));
  const found = new Map(keyed.map((call, index) => [call, earlier[index] ?? null]));
  return answers.map((answer, index) => {
    const run = found.get(calls[index] as ActionCall);
    return run ? { run, isReplayed: true } : answer;
  });
}

function keyOf({ workspaceId, slug, idempotencyKey, ...payload }: ActionCall) {
  return {
    workspace_id: workspaceId,
    action_slug: slug,
    idempotency_key: idempotencyKey ?? null,
    payload_hash: hashPayload(payload),
  };
}

/**
 * Uses the action as this process last read it; create_runs creates a run only while that is still current, so the usual
 * call is one round trip.
 */
async function makeRuns(called: CalledAction, calls: readonly ActionCall[], create: Create): Promise<Answer[]> {
  const { workspaceId, slug } = called;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const recalled = attempt === 0 && calls.length > 0 ? recallRunnableAction(workspaceId, slug) : null;
    const action = recalled ?? (await getRunnableAction(workspaceId, slug));
    const runs = await prepareRuns(calls.map((call) => requestOf(call, action)));
    // The cached schema may be outdated; the current one decides.
    if (recalled && runs.some((run) => run instanceof ApiError)) continue;
    const made = await create(runs);
    const answers = made.flatMap<Answer>((one) => {
      if (one instanceof ApiError) return [one];
      return "run" in one ? [{ run: one.run, isReplayed: one.outcome === "replayed" }] : [];
    });
    if (answers.length === calls.length) return answers;
  }
  throw new ApiError("concurrent_change", "The action is being changed. Try again.", { retryAfterSeconds: 1 });
}

/** Rolls a batch back whose action changed. */
class ActionChanged extends Error {
  override readonly name = "ActionChanged";
}

/**
 * Creates the runs of a batch in one transaction: a crash leaves all of them or none. Of two calls with the same
 * idempotency key, the first in the list creates the run. Nothing is written if one of them is stale.
 */
export async function createBatch(runs: readonly (NewRun | ApiError)[]): Promise<(CreatedRun | ApiError)[]> {
  const accepted = runs.filter((run) => !(run instanceof ApiError));
  try {
    const made = await repeatableTransaction(async (tx) => {
      await lockIdempotencyKeys(tx, accepted);
      const created = await createRuns(runs, tx);
      if (created.some((one) => "outcome" in one && one.outcome === "stale")) throw new ActionChanged();
      return created;
    });
    await announceRuns(accepted[0]?.workspace_id ?? "", made);
    return made;
  } catch (error) {
    if (error instanceof ActionChanged) return runs.map(() => ({ outcome: "stale" }));
    throw error;
  }
}

function requestOf({ slug: _, ...call }: ActionCall, action: RunnableAction): RunRequest {
  const { workflowId, versionId, inputSchema } = action;
  return { ...call, target: { workflowId, versionId, action, inputSchema } };
}

interface WaitingBatch extends QueuedCall {
  start(): void;
}

const turns = shareInProcess("runBatches", () =>
  openTurns<WaitingBatch>({
    shared: LIMITS.batchesAtOnce,
    reserved: 0,
    perWorkspace: LIMITS.batchesPerKey,
    queuedCalls: LIMITS.batchesWaitingPerKey,
    queuedBytes: Number.POSITIVE_INFINITY,
  }),
);

/**
 * Works on a batch when it is its caller's turn. Callers take turns, and some of the database's connections are always
 * left for single calls.
 * @throws ApiError `too_many_batches` if the caller has too many batches waiting
 */
export async function inBatchTurn<Result>(callerId: string, work: () => Promise<Result>): Promise<Result> {
  const batch = await untilTurn(callerId);
  try {
    return await work();
  } finally {
    turns.end(batch);
    startNext();
  }
}

function untilTurn(callerId: string): Promise<WaitingBatch> {
  return new Promise((resolve) => {
    const batch: WaitingBatch = { workspaceId: callerId, bytes: 0, start: () => resolve(batch) };
    if (!turns.join(batch)) {
      throw new ApiError("too_many_batches", "Too many batches of this caller are waiting. Try again shortly.", {
        retryAfterSeconds: 1,
      });
    }
    startNext();
  });
}

function startNext(): void {
  for (let batch = turns.next(); batch !== null; batch = turns.next()) batch.start();
}
