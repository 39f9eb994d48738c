import type { Page } from "#lib/contract/page";
import { isSuccess, isTerminal, type RunObject } from "#lib/contract/run";
import { findErrorRuns } from "#lib/domain/runs/read/find-error-runs";
import { presentRun } from "#lib/domain/runs/read/present-run";
import { readTimeline } from "#lib/domain/runs/read/read-timeline";
import {
  errorQuery,
  filterRuns,
  findVersionTime,
  type RunConditions,
  type RunFilters,
  type VersionTime,
} from "#lib/domain/runs/read/run-filters";
import { type RunRow, runColumns } from "#lib/domain/runs/read/run-row";
import { decodeCursor, type Keyset, toPage } from "#lib/platform/db/page-cursor";
import { type Db, db } from "#lib/platform/db/pool";

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
  const rows = time === null ? [] : await readRuns(db(), filters, page, after, time);
  const timelines = new Map<string, RunObject["steps"]>();
  for (const row of rows) timelines.set(row.id, await readTimeline(row, "full"));
  const keysetOf = (row: RunRow) => ({ createdAt: row.created_at, id: row.id });
  return toPage(rows, page.limit, bound, keysetOf, (row) => presentRun(row, { steps: timelines.get(row.id) ?? [] }));
}

/**
 * The runs of a page and one more, if there is one.
 * @param after the last of the page before
 * @param time of the version that is asked for
 */
export async function readRuns(
  on: Db,
  filters: RunFilters,
  page: RunPage,
  after: Keyset | null,
  time?: VersionTime,
): Promise<RunRow[]> {
  const conditions = filterRuns(filters);
  if (after) {
    conditions.values.push(after.createdAt, after.id);
    const [last, sign] = [conditions.values.length, page.order === "asc" ? ">" : "<"];
    conditions.range.push(`(r.created_at, r.id) ${sign} ($${last - 1}, $${last})`);
  }
  const words = errorQuery(filters);
  if (words === undefined) return (await on.query<RunRow>(runsQuery(conditions, page, time))).rows;
  // Every run would be looked at for what none of them has.
  if (filters.statuses?.every((status) => isSuccess(status) || !isTerminal(status))) return [];
  if (time !== undefined) conditions.rest.push(`r.workflow_version_id = $${conditions.values.push(time.versionId)}`);
  const ids = await findErrorRuns(on, { words, conditions, order: page.order, limit: page.limit + 1 });
  if (ids.length === 0) return [];
  const text = `select ${runColumns(page.withSteps ? "full" : "none")} from runs r
    where r.id = any($1) order by r.created_at ${page.order}, r.id ${page.order}`;
  return (await on.query<RunRow>({ text, values: [ids] })).rows;
}

/**
 * One statement for each combination of filters, and none of them named: planned with the values at hand, the rare
 * statuses and sources are found by their partial indexes, which a plan for any value could not use.
 */
function runsQuery({ range, rest, values }: RunConditions, page: RunPage, time?: VersionTime) {
  const where = [...range, ...rest].join(" and ");
  const parts = time === undefined ? [""] : versionParts(time, values);
  values.push(page.limit + 1);
  const order = `order by r.created_at ${page.order}, r.id ${page.order}`;
  const limit = `limit $${values.length}`;
  const selects = parts.map((part) => `(select r.* from runs r where ${where}${part} ${order} ${limit})`);
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
