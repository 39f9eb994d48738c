import type { AffectedCaller } from "#lib/contract/action/publish";
import type { RunSource } from "#lib/contract/run/run";
import type { InputSchema, JsonObject } from "#lib/contract/wire/json-schema";
import { isActiveKey } from "#lib/domain/workspaces/is-active-key";
import { array, integer, json, nullable, type RowOf, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";

/** How many days back a call counts as one that may come again. */
export const SAMPLE_DAYS = 7;
/** How many of each caller's newest calls are checked. */
export const SAMPLED_PER_CALLER = 50;
/** How many of a key's newest calls of any action are read to find this action's. */
export const WALKED_PER_CALLER = 2_000;
const MAX_CALLERS = 50;
/** The most keys to check, those used last; a plan without a limit may have any number. */
const MAX_KEYS = 200;

/** The sources of the runs that a key's call of an action creates. */
const CALL_SOURCES = ["action", "dry_run"] as const satisfies RunSource[];

/** What a caller sent recently. */
export const SAMPLE_ROW = {
  calls: integer,
  /** Null if there was no call. */
  last_call_at: nullable(timestamptz),
  /** Newest first. */
  samples: json<{ run_id: string; input: JsonObject }[]>(),
  walked: integer,
};

/** `has_more` is true if there were more calls than were read. */
export type CallSamples = Omit<RowOf<typeof SAMPLE_ROW>, "walked"> & { has_more: boolean };

export type SampledCaller = CallSamples & Pick<AffectedCaller, "kind" | "id" | "name" | "prefix">;

/**
 * Selects what a schema can judge of a stored input: the named fields, with large values cut to their type. An input
 * may be a megabyte, and a thousand of them are checked.
 */
const JUDGEABLE = `(
  select coalesce(jsonb_object_agg(f.key, case
    when octet_length(f.value::text) <= 4096 then f.value
    when jsonb_typeof(f.value) = 'object' then '{}'
    when jsonb_typeof(f.value) = 'array' then (
      select jsonb_agg(case jsonb_typeof(i) when 'string' then '""' when 'object' then '{}' when 'array' then '[]' else i end)
      from jsonb_path_query(f.value, '$[0 to 99]') i)
    else to_jsonb(left(f.value #>> '{}', 200)) end), '{}')
  from jsonb_each(call.input) f where f.key = any($3))`;

/** SAMPLE_ROW without `walked`, for rows `call` with their `place`, newest first; $3 are the names of the fields. */
export const SAMPLED_CALLS = `count(*)::int as calls, max(call.created_at) as last_call_at,
  json_agg(json_build_object('run_id', call.id, 'input', ${JUDGEABLE}) order by call.created_at desc)
    filter (where call.place <= ${SAMPLED_PER_CALLER}) as samples`;

export const SINCE = `now() - interval '${SAMPLE_DAYS} days'`;

const CALLED = { workspaceId: uuid, workflowId: uuid, fields: array(text) };

/**
 * Selects the keys that can still call, with what they or the keys they replaced have sent. A rotated key has the same
 * caller; as long as the original works, it counts separately. A key belongs to one workspace; repeating that condition
 * would let the planner walk through all runs of the workspace.
 */
const selectKeys = defineStatement({
  name: "sample_calls_by_key",
  params: CALLED,
  row: { id: uuid, name: text, prefix: text, ...SAMPLE_ROW },
  sql: `select k.id, k.name, k.prefix, c.*
        from (
          select * from api_keys k where k.workspace_id = $1 and ${isActiveKey("k")}
          order by coalesce(k.last_used_at, k.created_at) desc limit ${MAX_KEYS}
        ) k
        left join api_keys p on p.id = k.rotated_from_id and p.workspace_id = k.workspace_id and not ${isActiveKey("p")}
        cross join lateral (
          select ${SAMPLED_CALLS}, max(call.walked)::int as walked
          from (
            select w.*, row_number() over (order by w.created_at desc) as place
            from (
              select r.*, count(*) over () as walked from (
                (select id, workflow_id, source, created_at, input from runs
                 where api_key_id = k.id and created_at > ${SINCE}
                 order by created_at desc limit ${WALKED_PER_CALLER})
                union all
                (select id, workflow_id, source, created_at, input from runs
                 where api_key_id = p.id and created_at > ${SINCE}
                 order by created_at desc limit ${WALKED_PER_CALLER})) r
            ) w where w.workflow_id = $2 and w.source in ${sqlSet(CALL_SOURCES)}
          ) call
        ) c
        where c.calls > 0
        order by c.last_call_at desc limit ${MAX_CALLERS}`,
  isPrepared: false,
});

/** Selects the people who ran the action in the web application. */
const selectPeople = defineStatement({
  name: "sample_calls_by_person",
  params: CALLED,
  row: { id: uuid, name: text, ...SAMPLE_ROW },
  sql: `select u.id, u.name, c.calls, c.last_call_at, c.samples, c.walked
        from (
          select call.user_id, ${SAMPLED_CALLS}, max(call.walked)::int as walked
          from (
            select w.*, row_number() over (partition by w.user_id order by w.created_at desc) as place
            from (
              select r.*, count(*) over () as walked from (
                select id, workflow_id, user_id, created_at, input from runs
                where workspace_id = $1 and source = 'manual' and created_at > ${SINCE} and action_id is not null
                order by created_at desc limit ${WALKED_PER_CALLER}) r
            ) w where w.workflow_id = $2
          ) call group by call.user_id
        ) c
        join users u on u.id = c.user_id
        order by c.last_call_at desc limit ${MAX_CALLERS}`,
  isPrepared: false,
});

/**
 * Returns the recent callers of a workflow's action, and the newest inputs of each as they are stored: redacted, which
 * changes texts but neither types nor names, and with defaults filled in. Both queries follow an index that is ordered
 * by time.
 * @param schemas the schemas whose fields are of interest
 */
export async function sampleCalls(
  tx: Db,
  workspaceId: string,
  workflowId: string,
  schemas: readonly InputSchema[],
): Promise<SampledCaller[]> {
  const called = { workspaceId, workflowId, fields: fieldNamesOf(schemas) };
  const keys = await selectKeys.all(tx, called);
  const people = await selectPeople.all(tx, called);
  return [
    ...keys.map((row) => ({ kind: "key" as const, ...withHasMore(row) })),
    ...people.map((row) => ({ kind: "person" as const, prefix: null, ...withHasMore(row) })),
  ];
}

export function withHasMore<Row extends { walked: number }>({ walked, ...row }: Row) {
  return { ...row, has_more: walked >= WALKED_PER_CALLER };
}

/** Returns the names of all fields of these schemas. */
export function fieldNamesOf(schemas: readonly InputSchema[]): string[] {
  return [...new Set(schemas.flatMap((schema) => Object.keys(schema.properties)))];
}
