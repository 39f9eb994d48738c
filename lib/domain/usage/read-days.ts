import { FAILED_RUN_STATUSES, TRIAL_RUN_SOURCES } from "#lib/contract/run/run";
import { USAGE_DAYS } from "#lib/contract/run/run-usage";
import { BUCKET_BASE, type UsageGroup } from "#lib/domain/usage/usage-groups";
import {
  boolean,
  float8,
  integer,
  jsonb,
  nullable,
  type RowOf,
  text,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";

/** One day of a workspace. Both ends are instants: a day of a time zone may have 23 hours. */
export interface CountedDay {
  day: string;
  from: Date;
  to: Date;
  groups: UsageGroup[];
}

const DAY_ROW = {
  day: text,
  from: timestamptz,
  to: timestamptz,
  /** Null if not counted yet. */
  groups: nullable(jsonb<UsageGroup[]>()),
  /** True if the day ended so long ago that all its runs have ended. */
  is_over: boolean,
};

const selectDays = defineStatement({
  name: "read_usage_days",
  params: { workspaceId: uuid, timeZone: text, days: integer },
  row: DAY_ROW,
  sql: `select to_char(d.day, 'YYYY-MM-DD') as day, d.day::timestamp at time zone $2 as from,
          (d.day + 1)::timestamp at time zone $2 as to, u.groups,
          (d.day + 1)::timestamp at time zone $2 < now() - interval '1 day' as is_over
        from (select (now() at time zone $2)::date - n as day from generate_series($3::integer - 1, 0, -1) n) d
        left join usage_days u on u.workspace_id = $1 and u.time_zone = $2 and u.day = d.day
        order by d.day`,
});

/** How many days are counted at once. */
const LANES = 3;

/**
 * Returns the last thirty days of a workspace in its time zone, today included, oldest first. A past day is counted
 * once and stored, so for a busy workspace only today and yesterday are counted again, each by its own range of the
 * index.
 */
export async function readDays(workspaceId: string, timeZone: string): Promise<CountedDay[]> {
  const rows = await selectDays.all(db(), { workspaceId, timeZone, days: USAGE_DAYS });
  const queue = rows.filter((row) => row.groups === null);
  const lane = async () => {
    for (let row = queue.shift(); row; row = queue.shift()) row.groups = await countDay(workspaceId, timeZone, row);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return rows.map(({ day, from, to, groups }) => ({ day, from, to, groups: groups ?? [] }));
}

const countGroups = defineStatement({
  name: "count_usage_day",
  params: { workspaceId: uuid, from: timestamptz, to: timestamptz, bucketBase: float8 },
  row: { groups: jsonb<UsageGroup[]>() },
  // In floating point: logarithms of `numeric` took two and a half times as long.
  sql: `with fine as (
      select workflow_id, action_slug, api_key_id,
        case when completed_at is null then 'open' else status end as status,
        case when status in ${sqlSet(FAILED_RUN_STATUSES)} then error ->> 'code' end as code,
        case when status = 'succeeded' and started_at is not null then
          ceil(ln(greatest(extract(epoch from completed_at - started_at)::float8 * 1000, 1)) / ln($4::float8))::integer
        end as bucket, count(*) as runs
      from runs where workspace_id = $1 and created_at >= $2 and created_at < $3
        and source not in ${sqlSet(TRIAL_RUN_SOURCES)}
      group by 1, 2, 3, 4, 5, 6
    ), coarse as (
      select workflow_id, action_slug, api_key_id, status, code, sum(runs)::integer as runs,
        jsonb_object_agg(bucket, runs) filter (where bucket is not null) as buckets
      from fine group by 1, 2, 3, 4, 5
    )
    select coalesce(jsonb_agg(to_jsonb(coarse)), '[]') as groups from coarse`,
});

const keepDay = defineStatement({
  name: "keep_usage_day",
  params: { workspaceId: uuid, timeZone: text, day: text, groups: jsonb<UsageGroup[]>() },
  sql: `insert into usage_days (workspace_id, time_zone, day, groups) values ($1, $2, $3::text::date, $4)
        on conflict do nothing`,
});

async function countDay(workspaceId: string, timeZone: string, row: RowOf<typeof DAY_ROW>): Promise<UsageGroup[]> {
  const { day, from, to, is_over: isOver } = row;
  const { groups } = await countGroups.one(db(), { workspaceId, from, to, bucketBase: BUCKET_BASE });
  if (isOver && groups.every(({ status }) => status !== "open")) {
    await keepDay.run(db(), { workspaceId, timeZone, day, groups });
  }
  return groups;
}
