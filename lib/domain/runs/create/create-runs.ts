import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { isFailure, isWaiting, type RunObject } from "#lib/contract/run/run";
import { FILLED_LATER } from "#lib/contract/run/run-schema";
import type { ApprovalRow } from "#lib/domain/approvals/present-approval";
import { insertRuns, insertTogether } from "#lib/domain/runs/create/insert-runs";
import { type NewRun, prepareRuns, type RunRequest } from "#lib/domain/runs/create/new-run";
import { limitRefusal } from "#lib/domain/runs/create/run-limits";
import { type ChangedRun, notifyRuns } from "#lib/domain/runs/notify/notify-runs";
import { presentNewRun, presentRun } from "#lib/domain/runs/read/present-run";
import { NOTHING_HAPPENED, RUN_COLUMN_TYPES, runColumns } from "#lib/domain/runs/read/run-row";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import { array, bytea, float8, integer, jsonb, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db, transaction } from "#lib/platform/db/pool";
import { announceJob } from "#lib/platform/jobs/announce-jobs";
import { uuidv7 } from "#lib/support/ids";

/** What became of a run that was to be created, if it was not refused. */
export type CreatedRun =
  /** Replayed: the idempotency key was used before with the same payload, and this is the first answer. */
  | { outcome: "created" | "replayed"; run: RunObject }
  /** An event has started its run; it has failed if the event is above a limit (announceFailed). */
  | { outcome: "accepted"; runId: string; hasFailed: boolean }
  /** The run of the first delivery of an event; null if it is no longer stored. */
  | { outcome: "duplicate"; runId: string | null }
  /** The action or the subscription has changed since it was read, and nothing was written. Read it again. */
  | { outcome: "stale" }
  /** Another worker has fired the schedule for this moment. */
  | { outcome: "taken" };

type Inserted = Awaited<ReturnType<typeof insertRuns>>[number];

/**
 * Creates runs, whatever their source; no other code does (contract, Run). Enforces the limits, and writes row, approval
 * and job of a run in one transaction: all of them in `tx`, in the given order, and the caller calls announceRuns after
 * the commit; without `tx`, each in a transaction that it shares with whatever else is created at the same moment. A
 * refused run does not affect the others.
 * @returns an answer or a refusal for each, in the same order: IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS,
 * event_in_progress, RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED, or the refusal that was given
 */
export function createRuns(runs: readonly (NewRun | ApiError)[], tx?: Db): Promise<(CreatedRun | ApiError)[]> {
  return skipRefused(runs, async (accepted) => {
    if (tx) return answerRuns(accepted, await insertRuns(tx, accepted), tx);
    return Promise.all(accepted.map(createAlone));
  });
}

/**
 * Creates a run that is bound to no release and has no idempotency key.
 * @throws ApiError INPUT_VALIDATION_FAILED before anything is written; RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED
 */
export async function createRun(request: RunRequest, tx?: Db): Promise<RunObject> {
  const [made] = await createRuns(await prepareRuns([request]), tx);
  if (made instanceof ApiError) throw made;
  if (made?.outcome !== "created") throw new Error("a run without a release and a key was not created");
  return made.run;
}

async function createAlone(run: NewRun): Promise<CreatedRun | ApiError> {
  try {
    const [made] = isWaiting(run.status)
      ? await transaction(async (tx) => answerRuns([run], await insertRuns(tx, [run], { waits: true }), tx))
      : await answerRuns([run], [await insertAlone(run)]);
    if (!made) throw new Error("a run has no answer");
    await announceRuns(run.workspace_id, [made]);
    return made;
  } catch (error) {
    // create_runs waits for an equal call until its lock_timeout; then the call is a conflict.
    if (!isDatabaseFault(error, "lock_not_available")) throw error;
    return inProgress(run, error);
  }
}

/** A run that has to wait for an equal call does so by itself, because it must not delay others. */
async function insertAlone(run: NewRun): Promise<Inserted> {
  const inserted = await insertTogether(run);
  if (inserted.outcome !== "in_progress") return inserted;
  const [waited] = await insertRuns(db(), [run], { waits: true });
  return waited ?? inserted;
}

/** Notifies the workers of queued runs, and open pages of runs that wait for approval. */
export async function announceRuns(workspaceId: string, made: readonly (CreatedRun | ApiError)[]): Promise<void> {
  const held: ChangedRun[] = [];
  for (const one of made) {
    if (one instanceof ApiError) continue;
    if (one.outcome === "accepted" && !one.hasFailed) announceJob();
    if (one.outcome !== "created") continue;
    if (one.run.status === "accepted") announceJob();
    else if (isWaiting(one.run.status)) held.push({ id: one.run.run_id, workspaceId });
  }
  await notifyRuns(held);
}

/** Opens the approval requests of runs that wait for one, and converts what was written to the answers of the callers. */
async function answerRuns(
  runs: readonly NewRun[],
  inserted: readonly Inserted[],
  tx: Db = db(),
): Promise<(CreatedRun | ApiError)[]> {
  const held = runs.filter((_, index) => {
    const row = inserted[index];
    return row?.outcome === "created" && row.status !== null && isWaiting(row.status);
  });
  const approvals = await openPolicyApprovals(tx, held);
  const replayed = runs.filter((_, index) => inserted[index]?.outcome === "replayed");
  const answers = await findFirstAnswers(replayed, tx);
  const first = new Map(replayed.map((run, index) => [run, answers[index] ?? null]));
  return runs.map((run, index) =>
    answerOf(run, inserted[index] as Inserted, approvals.get(run.id) ?? null, first.get(run) ?? null),
  );
}

function answerOf(
  run: NewRun,
  { outcome, status, error, created_at, retry_after, run_id: runId }: Inserted,
  approval: ApprovalRow | null,
  firstAnswer: RunObject | null,
): CreatedRun | ApiError {
  switch (outcome) {
    case "created": {
      if (status === null || created_at === null) throw new Error("create_runs created a run without a status");
      if (run.delivery) return { outcome: "accepted", runId: run.id, hasFailed: isFailure(status) };
      // The row as a read would return it, so the answer needs no second round trip.
      const later = { ...FILLED_LATER, error, completed_at: error ? created_at : null };
      const stored = { ...run, ...later, status, created_at, ...NOTHING_HAPPENED, approval };
      return { outcome, run: error ? presentRun(stored, { steps: [] }) : presentNewRun(stored) };
    }
    case "replayed":
      if (!firstAnswer) throw new Error("the run of a replayed idempotency key no longer exists");
      return { outcome, run: firstAnswer };
    case "duplicate":
      return { outcome, runId };
    case "stale":
    case "taken":
      return { outcome };
    case "key_reused":
      return new ApiError("IDEMPOTENCY_KEY_REUSED", "This idempotency key was used with another payload.");
    case "in_progress":
      return inProgress(run);
    case "user_limit":
    case "month_limit":
      return limitRefusal({
        limit: outcome,
        plan: run.plan,
        isEvent: run.event_limit !== null,
        retryAfterSeconds: retry_after,
      });
  }
}

const insertRequests = defineStatement({
  name: "open_policy_approvals",
  params: { ids: array(uuid), runIds: array(uuid), expirySeconds: float8 },
  row: { run_id: uuid, row: jsonb<ApprovalRow>() },
  sql: `insert into approvals (id, workspace_id, run_id, kind, node_id, iteration, requested_at, expires_at)
        select n.id, r.workspace_id, r.id, 'policy', '', '', t.at, t.at + make_interval(secs => $3)
        from unnest($1::uuid[], $2::uuid[]) as n (id, run_id) join runs r on r.id = n.run_id,
          (select clock_timestamp() as at) t
        returning run_id, to_jsonb(approvals) as row`,
});

/**
 * Opens the approval requests of new runs under approval_policy `always`, in the transaction that creates the runs; they
 * expire one hour later (contract, Run).
 * @returns the requests by run
 */
async function openPolicyApprovals(tx: Db, runs: readonly { id: string }[]): Promise<ReadonlyMap<string, ApprovalRow>> {
  if (runs.length === 0) return new Map();
  const opened = await insertRequests.all(tx, {
    ids: runs.map(() => uuidv7()),
    runIds: runs.map(({ id }) => id),
    expirySeconds: LIMITS.approvalExpiryMs / 1000,
  });
  return new Map(opened.map(({ run_id, row }) => [run_id, row]));
}

/** The refusal of a call or an event while an equal one is being answered. */
function inProgress({ delivery }: NewRun, cause?: unknown): ApiError {
  const options = { retryAfterSeconds: 1, cause };
  return delivery
    ? new ApiError("event_in_progress", "The same delivery is being accepted. Try again shortly.", options)
    : new ApiError("IDEMPOTENCY_IN_PROGRESS", "A call with this idempotency key is still being answered.", options);
}

/**
 * Works on the items of a list that are not refused yet, all of them at once.
 * @param work returns a result or a refusal for each item, in the same order
 * @returns the results in the places of their items; refusals stay in theirs
 */
export async function skipRefused<Item, Result>(
  items: readonly (Item | ApiError)[],
  work: (accepted: Item[]) => Promise<readonly Result[]>,
): Promise<(Result | ApiError)[]> {
  const isAccepted = (item: Item | ApiError): item is Item => !(item instanceof ApiError);
  const results = await work(items.filter(isAccepted));
  let next = 0;
  return items.map((item) => (isAccepted(item) ? (results[next++] as Result) : item));
}

const selectAnswered = defineStatement({
  name: "find_first_answers",
  params: {
    workspaceIds: array(uuid),
    actionSlugs: array(text),
    keys: array(text),
    payloadHashes: array(bytea),
    hours: integer,
  },
  row: { position: integer, ...RUN_COLUMN_TYPES, policy: nullable(jsonb<ApprovalRow>()) },
  sql: `select asked.position::integer, ${runColumns()},
          (select to_jsonb(p) from approvals p where p.run_id = r.id and p.kind = 'policy') as policy
        from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[])
          with ordinality as asked (workspace_id, action_slug, key, payload_hash, position)
        join idempotency_keys i using (workspace_id, action_slug, key, payload_hash)
        join runs r on r.id = i.run_id
        where i.created_at > clock_timestamp() - make_interval(hours => $5)`,
});

/**
 * Returns the first answer to each of the calls while its key is kept (decisions, Correlation and idempotency), or null
 * if there was none or its payload was different. The answers are built from the rows of the runs, so none is stored
 * twice.
 */
export async function findFirstAnswers(
  calls: readonly Pick<NewRun, "workspace_id" | "action_slug" | "idempotency_key" | "payload_hash">[],
  from: Db = db(),
): Promise<(RunObject | null)[]> {
  if (calls.length === 0) return [];
  const answered = await selectAnswered.all(from, {
    workspaceIds: calls.map((call) => call.workspace_id),
    actionSlugs: calls.map((call) => call.action_slug ?? ""),
    keys: calls.map((call) => call.idempotency_key ?? ""),
    payloadHashes: calls.map((call) => Buffer.from(call.payload_hash ?? "", "base64")),
    hours: LIMITS.idempotencyKeyHours,
  });
  const byPosition = new Map(answered.map((run) => [run.position, run]));
  return calls.map((_, index) => {
    const run = byPosition.get(index + 1);
    return run ? presentNewRun({ ...run, approval: run.policy }) : null;
  });
}
