import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import { RUN_STATUSES, type RunError, type RunSource } from "#lib/contract/run";
import { FILLED_LATER } from "#lib/contract/schemas/run-schema";
import { type Mask, NO_MASK } from "#lib/core/redaction/mask-texts";
import { type PreparedInput, prepareInput } from "#lib/core/redaction/prepare-input";
import { sanitize } from "#lib/core/redaction/sanitize";
import { inputContext } from "#lib/domain/journal/checkpoints/sealed-contexts";
import { limitErrors, type RunLimits } from "#lib/domain/runs/create/run-limits";
import type { NewRunColumns, RunRow } from "#lib/domain/runs/read/run-row";
import { wasRefused } from "#lib/platform/db/classify-database-error";
import { enumOf, integer, jsonb, jsonText, nullable, type RowOf, timestamptz } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";
import { sealJson } from "#lib/platform/secrets/seal";
import { gather } from "#lib/support/gather";
import { storableJson } from "#lib/support/storable-json";

/** A run to insert, with the conditions it must meet. */
export interface NewRun {
  /** `input` has the caller's own values, with defaults filled in. */
  columns: NewRunColumns;
  /** Hides secrets in the input that is shown. */
  mask?: Mask;
  /** Null for a run that is not bound to a release of an action. */
  release: { id: string | null; approvalPolicy: string } | null;
  idempotency: { key: string; payloadHash: Buffer } | null;
  limits: RunLimits;
}

export type InsertedRun =
  | { outcome: "created"; row: RunRow }
  | { outcome: "replayed" | "key_reused" | "stale" | "month_limit" }
  | { outcome: "user_limit"; retryAfterSeconds: number };

const CREATED_ROW = {
  outcome: enumOf(["created", "replayed", "key_reused", "stale", "month_limit", "user_limit"]),
  status: enumOf(RUN_STATUSES),
  error: nullable(jsonb<RunError>()),
  created_at: timestamptz,
  retry_after: integer,
};
type CreateRunRow = RowOf<typeof CREATED_ROW>;

const callCreateRun = defineStatement({
  name: "create_runs",
  params: { given: jsonText, idempotencyKeyHours: integer },
  row: CREATED_ROW,
  // Users and months stay locked until the commit. Two statements cannot wait for each other: each locks all of its users
  // first, in order of their ids, and then its months, in order of their workspaces. create_run locks a user again, which
  // costs nothing.
  sql: `with given as (
      select * from rows from (json_to_recordset($1::json) as (workspace_id uuid, user_id uuid, columns jsonb,
        sealed_input text, release_id uuid, policy text, user_limit integer, month_limit integer, refusal jsonb,
        idempotency_key text, payload_hash text, job jsonb)) with ordinality
      order by workspace_id, user_id, ordinality
    ), locked as materialized (
      select count(pg_advisory_xact_lock(hashtextextended(u.user_id::text, 2))) as users
      from (select distinct user_id from given where user_limit > 0 and user_id is not null order by user_id) u
    )
    select made.* from given g
    cross join lateral create_run(
      case when (select users from locked) >= 0 then g.columns end, decode(g.sealed_input, 'base64'), g.release_id,
      g.policy, g.user_limit, g.month_limit, g.refusal, g.idempotency_key, decode(g.payload_hash, 'base64'), $2,
      g.job) made
    order by g.ordinality`,
});

interface InsertOptions {
  /** True if the caller calls announceJob once the row is committed; the run is then queued without a notice. */
  announcesJob: boolean;
}

/** A run as create_run takes it. */
export interface DescribedRun {
  run: NewRun;
  /** The sanitized input. */
  input: JsonObject;
  /** One element of the statement's JSON. */
  given: string;
}

/**
 * Sources without a caller: above a limit, a failed run is written instead of a refusal (decisions, Runs: user limit).
 */
const WITHOUT_CALLER: ReadonlySet<RunSource> = new Set(["webhook", "schedule"]);

/**
 * Prepares a run for insertRuns. The row will hold the sanitized input; the caller's own values are stored next to it,
 * sealed, only if sanitizing changed something.
 */
export function describeRun(run: NewRun, options: InsertOptions): DescribedRun {
  const { columns: wanted, mask = NO_MASK, release, idempotency, limits } = run;
  const input = sanitize(mask(wanted.input));
  const prepared = prepareInput(wanted.input, input);
  const { columns, sealedInput, job } = newRunParameters(wanted, prepared, { ...options, limits });
  const rest = {
    workspace_id: wanted.workspace_id,
    user_id: wanted.user_id,
    sealed_input: sealedInput?.toString("base64"),
    release_id: release?.id,
    policy: wanted.dry_run ? null : release?.approvalPolicy,
    user_limit: limits.perUserPerHour,
    month_limit: limits.perMonth,
    refusal: WITHOUT_CALLER.has(wanted.source) ? limitErrors(limits) : null,
    idempotency_key: idempotency?.key,
    payload_hash: idempotency?.payloadHash.toString("base64"),
  };
  return { run, input, given: `${JSON.stringify(rest).slice(0, -1)},"columns":${columns},"job":${job}}` };
}

/**
 * Calls create_run (`prisma/functions/create_run.sql`) in a transaction of its own, which concurrent runs share. It
 * checks the idempotency key, the action, the user's hourly limit and the monthly quota under their locks, then writes
 * the row and queues the run.
 */
export async function insertRun(described: DescribedRun): Promise<InsertedRun> {
  // A call with an idempotency key may wait for an equal call, and must not delay others in a shared batch.
  const [inserted] = described.run.idempotency
    ? await insertRuns(db(), [described])
    : [insertedRun(described, await createTogether(described.given))];
  if (!inserted) throw new Error("create_run returned no row");
  return inserted;
}

/**
 * Does the same for several runs in one round trip, in the given order.
 * @returns the outcomes, in the same order
 */
export async function insertRuns(on: Db, described: readonly DescribedRun[]): Promise<InsertedRun[]> {
  const made = await createRows(
    described.map(({ given }) => given),
    on,
  );
  return made.map((row, index) => insertedRun(described[index] as DescribedRun, row));
}

function insertedRun({ run, input }: DescribedRun, made: CreateRunRow): InsertedRun {
  switch (made.outcome) {
    case "created": {
      // The row as a read would return it, so the answer needs no second round trip.
      const { status, error, created_at } = made;
      const later = { ...FILLED_LATER, error, completed_at: error ? created_at : null };
      return {
        outcome: "created",
        row: { ...run.columns, ...later, input, status, created_at, ...NOT_YET },
      };
    }
    case "user_limit":
      return { outcome: "user_limit", retryAfterSeconds: made.retry_after };
    default:
      return { outcome: made.outcome };
  }
}

/** Runs created at the same moment share one commit, and so one wait for the disk. */
const createTogether = gather((given: string[]) => createRows(given, db()), {
  atOnce: 2,
  max: 50,
  isItemsFault: wasRefused,
});

/** @returns rows in the order of the arguments */
function createRows(given: readonly string[], on: Db): Promise<CreateRunRow[]> {
  return callCreateRun.all(on, {
    given: `[${given.join(",")}]`,
    idempotencyKeyHours: LIMITS.idempotencyKeyHours,
  });
}

/** Builds the arguments of create_run for a new run: its columns, and separately the values that sanitizing changed. */
export function newRunParameters(
  { input: _input, definition, ...run }: Omit<NewRunColumns, "input"> & { input?: JsonObject },
  { shown, keepsKeyOrder, original }: PreparedInput,
  { announcesJob, limits }: InsertOptions & Pick<NewRun, "limits">,
) {
  const sealedInput = original === null ? null : sealJson(run.workspace_id, inputContext(run.id), original);
  const job = JSON.stringify(announcesJob ? { announced_by_caller: true } : {});
  const eventLimit = run.subscription_id == null ? {} : { event_limit: limits.eventsPerUserPerHour };
  // As text: in jsonb, its keys would lose their order.
  const draft = definition === null ? {} : { definition_text: storableJson(definition) };
  const input = keepsKeyOrder ? `"input":${shown}` : `"input_text":${JSON.stringify(shown)}`;
  const columns = `${storableJson({ ...run, ...eventLimit, ...draft }).slice(0, -1)},${input}}`;
  return { columns, sealedInput, job };
}

const NOT_YET = {
  approval: null,
  events: null,
  cancelled_by: null,
  warnings: null,
  served_output: null,
  sealed_for: null,
};
