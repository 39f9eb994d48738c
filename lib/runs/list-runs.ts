import type { Page } from "#lib/contract/page";
import type { RunObject } from "#lib/contract/run";
import { decodeCursor, type Keyset, toPage } from "#lib/db/page-cursor";
import { db } from "#lib/db/pool";
import { presentRun } from "#lib/runs/present-run";
import { readTimeline } from "#lib/runs/read-timeline";
import { filterRuns, findVersionTime, type RunFilters, type VersionTime } from "#lib/runs/run-filters";
import { type RunRow, runColumns } from "#lib/runs/run-row";

export interface RunPage {
  limit: number;
  cursor?: string | undefined;
  order: "asc" | "desc";
  /** decisions, Lists: items carry their timeline. */
  withSteps: boolean;
}

/**
 * Runs of a workspace, newest first by default.
 * @throws ApiError BAD_REQUEST for a cursor of another list, or a version of nothing
 */
export async function listRuns(filters: RunFilters, page: RunPage): Promise<Page<RunObject>> {
  const bound = { list: "runs", order: page.order, ...filters };
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor, bound);
  const time = filters.version === undefined ? undefined : await findVersionTime(filters);
  const rows = time === null ? [] : (await db().query<RunRow>(runsQuery(filters, page, after, time))).rows;
  const timelines = new Map<string, RunObject["steps"]>();
  for (const row of rows) timelines.set(row.id, await readTimeline(row, "full"));
  const keysetOf = (row: RunRow) => ({ createdAt: row.created_at, id: row.id });
  return toPage(rows, page.limit, bound, keysetOf, (row) => presentRun(row, { steps: timelines.get(row.id) ?? [] }));
}

/**
 * One statement for each combination of filters, and none of them named: planned with the values at hand, the rare
 * statuses and sources are found by their partial indexes, which a plan for any value could not use.
 * @param time of the version that is asked for
 */
export function runsQuery(filters: RunFilters, page: RunPage, after: Keyset | null, time?: VersionTime) {
  const { where, values } = filterRuns(filters);
  const sign = page.order === "asc" ? ">" : "<";
  if (after) {
    values.push(after.createdAt, after.id);
    where.push(`(r.created_at, r.id) ${sign} ($${values.length - 1}, $${values.length})`);
  }
  const parts = time === undefined ? [""] : versionParts(time, values);
  values.push(page.limit + 1);
  const order = `order by r.created_at ${page.order}, r.id ${page.order}`;
  const limit = `limit $${values.length}`;
  const selects = parts.map((part) => `(select r.* from runs r where ${where.join(" and ")}${part} ${order} ${limit})`);
  const text = `with page as materialized (select r.* from (${selects.join(" union all ")}) r ${order} ${limit})
    select ${runColumns(page.withSteps ? "full" : "none")} from page r ${order}`;
  return { text, values };
}

/**
 * Versions follow each other: the runs of one lie in its time, where the workflow's index finds them, and after it there
 * are only replays, which have an index of their own. An index by version would cost every run and be asked seldom.
 */
function versionParts({ versionId, from, until }: VersionTime, values: unknown[]): string[] {
  const place = (value: unknown) => `$${values.push(value)}`;
  const isVersion = ` and r.workflow_version_id = ${place(versionId)}`;
  const since = `${isVersion} and r.created_at >= ${place(from)}`;
  if (until === null) return [since];
  const end = place(until);
  return [`${since} and r.created_at < ${end}`, `${isVersion} and r.source = 'replay' and r.created_at >= ${end}`];
}
