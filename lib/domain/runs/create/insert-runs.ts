import { LIMITS } from "#lib/contract/limits";
import { RUN_STATUSES, type RunError } from "#lib/contract/run";
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
import { sqlSet } from "#lib/platform/db/sql-set";
import { gather } from "#lib/support/gather";
import { storableJson } from "#lib/support/storable-json";

/** The outcomes of create_run and accept_event. */
const CREATE_OUTCOMES = [
  "created",
  "accepted",
  "replayed",
  "key_reused",
  "duplicate",
  "in_progress",
  "stale",
  "taken",
  "month_limit",
  "user_limit",
] as const;

const callCreateRun = defineStatement({
  name: "create_runs",
  params: { runs: jsonText, idempotencyKeyHours: integer, refusedPerMinute: integer, waits: boolean },
  row: {
    outcome: enumOf(CREATE_OUTCOMES),
    status: nullable(enumOf(RUN_STATUSES)),
    error: nullable(jsonb<RunError>()),
    created_at: nullable(timestamptz),
    retry_after: nullable(integer),
    run_id: nullable(uuid),
  },
  // Users and months stay locked until the commit. Two statements cannot wait for each other: each locks all of its users
  // first, in order of their ids, and then its months, in order of their workspaces, and it never waits for a key.
  // create_run locks a user again, which costs nothing. A single run that waits for its key has locked nothing before.
  sql: `with given as (
      select g.run::jsonb as run, (g.run ->> 'user_id')::uuid as user_id, (g.run ->> 'user_limit')::integer as user_limit,
        g.ordinality
      from json_array_elements($1::json) with ordinality as g (run, ordinality)
      order by (g.run ->> 'workspace_id')::uuid, user_id, g.ordinality
    ), locked as materialized (
      select count(pg_advisory_xact_lock(hashtextextended(u.user_id::text, 2))) as users
      from (select distinct user_id from given where not $4 and user_limit > 0 and user_id is not null order by user_id) u
    ), described as materialized (
      select run, user_limit, ordinality, decode(run ->> 'sealed_input', 'base64') as sealed_input,
        (run ->> 'month_limit')::integer as month_limit, nullif(run -> 'refusal', 'null') as refusal,
        nullif(run -> 'delivery', 'null') as delivery,
        '{"announced_by_caller": true}' || case when $4 then '{}'::jsonb else '{"waits_for_no_key": true}' end as job
      from given where (select users from locked) >= 0
    ), made as materialized (
      select d.ordinality, m.* from described d cross join lateral (
        select c.outcome, c.status, c.error, c.created_at, c.retry_after, null::uuid as run_id
          from create_run(d.run, d.sealed_input, (d.run ->> 'release_id')::uuid, d.run ->> 'policy', d.user_limit,
            d.month_limit, d.refusal, d.run ->> 'idempotency_key', decode(d.run ->> 'payload_hash', 'base64'), $2,
            d.job) c
          where d.delivery is null
        union all
        select e.outcome, e.run_status, null, null,
            -- If a run has left the hour since the refusal, the next second is soon enough.
            case when e.outcome = 'user_limit' then coalesce(seconds_until_run(
              (d.run ->> 'user_id')::uuid, d.user_limit, (d.run ->> 'event_limit')::integer), 1) end,
            e.run_id
          from accept_event(d.delivery, (d.run ->> 'dedupe_hours')::integer, d.run ->> 'plan',
            nullif(d.run -> 'moment', 'null'), d.run, d.sealed_input, d.user_limit, d.month_limit, d.refusal, d.job, $3) e
          where d.delivery is not null
      ) m
    ), unwritten as (
      -- No one waits for the disk for a row of the delivery log (see note_delivery).
      select set_config('synchronous_commit', 'off', true)
      where not exists (select from made where outcome in ${sqlSet(["created", "accepted"])})
    )
    select outcome, status, error, created_at, retry_after, run_id from made
    where (select count(*) from unwritten) >= 0 order by ordinality`,
});

interface InsertOptions {
  /** Waits up to 5 s for an equal call that is being answered, else its outcome is `in_progress`. For a single run only. */
  waits?: boolean;
}

/**
 * Calls create_run (`prisma/functions/create_run.sql`) for each run, in the given order and in one round trip: it checks
 * the idempotency key, the action, the user's hourly limit and the monthly quota under their locks, then writes the row
 * and queues the run. The run of an event is created by accept_event (`prisma/functions/accept_event.sql`), which checks
 * the subscription and whether the event is new before that. The caller notifies the workers after the commit.
 * @returns what became of each, in the same order
 */
export function insertRuns(on: Db, runs: readonly NewRun[], { waits = false }: InsertOptions = {}) {
  return callCreateRun.all(on, {
    runs: `[${runs.map(toJson).join(",")}]`,
    idempotencyKeyHours: LIMITS.idempotencyKeyHours,
    refusedPerMinute: LIMITS.refusedDeliveriesPerMinute,
    waits,
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

/** As long as create_run waits for one key. */
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
