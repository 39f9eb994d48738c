/**
 * SQL of a part of `from` that returns, as `r`, up to `limit` of the oldest runs of each workspace that its retention
 * deletes, with the moment since when (`w.until`). `$1` are the days of workspaces without a setting of their own.
 * A run that an open replay or sub-run came from is kept. Each search reads the old end of an index.
 */
export function oldRuns(columns: string, limit: number): string {
  return `(select id, now() - make_interval(days => coalesce(run_retention_days, $1)) as until from workspaces
      where coalesce(run_retention_days, $1) > 0) w
    cross join lateral (
      select ${columns} from runs r
      where r.workspace_id = w.id and r.created_at < w.until and r.completed_at < w.until
        and not exists (select 1 from runs o where o.resume_from_run_id = r.id and o.completed_at is null)
        and not exists (select 1 from runs o where o.parent_run_id = r.id and o.completed_at is null)
      order by r.created_at limit ${limit}
    ) r`;
}
