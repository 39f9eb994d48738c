import { USAGE_DAYS } from "#lib/contract/web/run-usage";
import { BUCKET_BASE, type UsageGroup } from "#lib/domain/usage/usage-groups";
import { db } from "#lib/platform/db/pool";

/** One day of a workspace. Both ends are moments: a day of a time zone may have 23 hours. */
export interface CountedDay {
  day: string;
  from: Date;
  to: Date;
  groups: UsageGroup[];
}

interface DayRow {
  day: string;
  from: Date;
  to: Date;
  /** Null: not counted yet. */
  groups: UsageGroup[] | null;
  /** Over for so long that all its runs have ended. */
  is_over: boolean;
}

/** Days that are counted at once. */
const LANES = 3;

/**
 * The last thirty days of a workspace in its time zone, today included, oldest first. What is over is counted once and
 * kept; of a busy workspace only today and yesterday are counted anew, each by its own range of the index.
 */
export async function readDays(workspaceId: string, timeZone: string): Promise<CountedDay[]> {
  const { rows } = await db().query<DayRow>({
    name: "read_usage_days",
    text: `select to_char(d.day, 'YYYY-MM-DD') as day, d.day::timestamp at time zone $2 as from,
             (d.day + 1)::timestamp at time zone $2 as to, u.groups,
             (d.day + 1)::timestamp at time zone $2 < now() - interval '1 day' as is_over
           from (select (now() at time zone $2)::date - n as day from generate_series($3::integer - 1, 0, -1) n) d
           left join usage_days u on u.workspace_id = $1 and u.time_zone = $2 and u.day = d.day
           order by d.day`,
    values: [workspaceId, timeZone, USAGE_DAYS],
  });
  const queue = rows.filter((row) => row.groups === null);
  const lane = async () => {
    for (let row = queue.shift(); row; row = queue.shift()) row.groups = await countDay(workspaceId, timeZone, row);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return rows.map(({ day, from, to, groups }) => ({ day, from, to, groups: groups ?? [] }));
}

/** In floating point: logarithms of `numeric` took two and a half times as long. */
async function countDay(workspaceId: string, timeZone: string, row: DayRow): Promise<UsageGroup[]> {
  const { rows } = await db().query<{ groups: UsageGroup[] }>({
    name: "count_usage_day",
    text: `with fine as (
        select workflow_id, action_slug, api_key_id,
          case when completed_at is null then 'open' else status end as status,
          case when status in ('failed', 'timed_out') then error ->> 'code' end as code,
          case when status = 'succeeded' and started_at is not null then
            ceil(ln(greatest(extract(epoch from completed_at - started_at)::float8 * 1000, 1)) / ln($4::float8))::integer
          end as bucket, count(*) as runs
        from runs where workspace_id = $1 and created_at >= $2 and created_at < $3 and source not in ('test', 'dry_run')
        group by 1, 2, 3, 4, 5, 6
      ), coarse as (
        select workflow_id, action_slug, api_key_id, status, code, sum(runs)::integer as runs,
          jsonb_object_agg(bucket, runs) filter (where bucket is not null) as buckets
        from fine group by 1, 2, 3, 4, 5
      )
      select coalesce(jsonb_agg(to_jsonb(coarse)), '[]') as groups from coarse`,
    values: [workspaceId, row.from, row.to, BUCKET_BASE],
  });
  const groups = rows[0]?.groups ?? [];
  if (row.is_over && groups.every(({ status }) => status !== "open")) {
    await db().query({
      name: "keep_usage_day",
      text: `insert into usage_days (workspace_id, time_zone, day, groups) values ($1, $2, $3, $4) on conflict do nothing`,
      values: [workspaceId, timeZone, row.day, JSON.stringify(groups)],
    });
  }
  return groups;
}
