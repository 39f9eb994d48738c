import { LIMITS } from "#lib/contract/limits";
import { RUN_STATUSES, type RunError } from "#lib/contract/run/run";
import type { NewRun } from "#lib/domain/runs/create/new-run";
import { wasRefused } from "#lib/platform/db/classify-database-error";
import {
  array,
  boolean,
  enumOf,
  integer,
  jsonb,
  jsonText,
  nullable,
  text,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";
import { gather } from "#lib/support/gather";
import { storableJson } from "#lib/support/json";

const OUTCOMES = [
  "created",
  "replayed",
  "key_reused",
  "duplicate",
  "in_progress",
  "stale",
  "taken",
  "month_limit",
  "user_limit",
] as const;

const callCreateRuns = defineStatement({
  name: "create_runs",
  params: { runs: jsonText, idempotencyKeyHours: integer, refusedPerMinute: integer, waits: boolean },
  row: {
    id: uuid,
    outcome: enumOf(OUTCOMES),
    status: nullable(enumOf(RUN_STATUSES)),
    error: nullable(jsonb<RunError>()),
    created_at: nullable(timestamptz),
    retry_after: nullable(integer),
    run_id: nullable(uuid),
  },
  sql: `with made as materialized (select * from create_runs($1, $2, $3, $4)), unwritten as (
      -- No one waits for the disk for a row of the delivery log (see note_delivery).
      select set_config('synchronous_commit', 'off', true) where not exists (select from made where outcome = 'created')
    )
    select id, outcome, status, error, created_at, retry_after, run_id from made
    where (select count(*) from unwritten) >= 0`,
  warmUp: { runs: "[]", idempotencyKeyHours: 0, refusedPerMinute: 0, waits: false },
});

interface InsertOptions {
  /** Waits up to 5 s for an equal call that is being answered, else its outcome is `in_progress`. For a single run only. */
  waits?: boolean;
}

/**
 * Calls create_runs (`prisma/functions/create_runs.sql`): it checks the idempotency keys, the actions, the users' hourly
 * limits and the monthly quotas under their locks, then writes the rows and queues the runs. For the run of an event it
 * checks the subscription and whether the event is new before that. The caller notifies the workers after the commit.
 * @returns what became of each, in the same order
 */
export async function insertRuns(on: Db, runs: readonly NewRun[], { waits = false }: InsertOptions = {}) {
  const made = await callCreateRuns.all(on, {
    runs: `[${runs.map(toJson).join(",")}]`,
    idempotencyKeyHours: LIMITS.idempotencyKeyHours,
    refusedPerMinute: LIMITS.refusedDeliveriesPerMinute,
    waits,
  });
  const byId = new Map(made.map((one) => [one.id, one]));
  return runs.map(({ id }) => {
    const one = byId.get(id);
    if (!one) throw new Error("create_runs returned no outcome for a run");
    return one;
  });
}

/**
 * The input is JSON already. Serializing it again costs 0.34 ms for 110 kB, and as a text within JSON 0.5 ms and a quarter
 * more bytes, so it is a text only if jsonb would sort its keys.
 */
function toJson({ input: _shownAsText, shown, keepsKeyOrder, ...run }: NewRun): string {
  const input = keepsKeyOrder ? `"input":${shown}` : `"input_text":${JSON.stringify(shown)}`;
  return `${storableJson(run).slice(0, -1)},${input}}`;
}

/** Does the same in a transaction that runs of the same moment share, and so one wait for the disk. */
export const insertTogether = gather((runs: NewRun[]) => insertRuns(db(), runs), {
  atOnce: 2,
  max: 50,
  bytes: {
    max: LIMITS.journalStatementBytes,
    of: ({ shown }) => shown.length,
  },
  isItemsFault: wasRefused,
});

/** As long as create_runs waits for one key. */
const WAIT_MS = 5_000;

const lockKeys = defineStatement({
  name: "lock_idempotency_keys",
  params: { workspaceId: uuid, actionSlug: text, keys: array(text), waitMs: integer },
  row: { key: text },
  sql: "select k.key from lock_idempotency_keys($1, $2, $3, $4) as k (key)",
});

/**
 * Locks the idempotency keys of several calls of an action until the transaction ends, all of them before the first run
 * is created (`prisma/functions/lock_idempotency_keys.sql` says why). Then insertRuns finds the keys that other calls
 * still use after a few seconds in use.
 */
export async function lockIdempotencyKeys(tx: Db, runs: readonly NewRun[]): Promise<void> {
  const keyed = runs.filter((run) => run.idempotency_key !== null);
  const [first] = keyed;
  if (!first) return;
  const { workspace_id: workspaceId, action_slug: actionSlug } = first;
  const keys = keyed.flatMap(({ idempotency_key: key }) => key ?? []);
  await lockKeys.all(tx, { workspaceId, actionSlug: actionSlug ?? "", keys, waitMs: WAIT_MS });
}
