import { LIMITS } from "#lib/contract/limits";
import { isSuccess, isTerminal, type RunObject } from "#lib/contract/run/run";
import type { Page } from "#lib/contract/wire/page";
import { exampleRequests } from "#lib/domain/runs/read/example-requests";
import { findErrorRuns } from "#lib/domain/runs/read/find-error-runs";
import { journalColumns } from "#lib/domain/runs/read/journal-columns";
import { type PresentedTimeline, presentRun } from "#lib/domain/runs/read/present-run";
import { readTimeline } from "#lib/domain/runs/read/read-timeline";
import {
  errorQuery,
  filterRuns,
  filterStatuses,
  findVersionTime,
  RUNS_PARAMS,
  type RunFilters,
  type RunsPlace,
  type RunsRequest,
  runsValues,
  type VersionTime,
} from "#lib/domain/runs/read/run-filters";
import { RUN_COLUMN_TYPES, type RunRow, runColumns } from "#lib/domain/runs/read/run-row";
import { array, bigint, uuid } from "#lib/platform/db/column-types";
import { defineVariants } from "#lib/platform/db/define-statement";
import { decodeCursor, type Keyset, toPage } from "#lib/platform/db/page-cursor";
import { type Db, db } from "#lib/platform/db/pool";

/** A page with steps has at most 20 runs, which share what an answer may load. */
const SHARE = {
  maxBytes: Math.floor(LIMITS.timelineBytes / 20),
  maxEvents: Math.floor(LIMITS.timelineEvents / 20),
};

export interface RunPage {
  limit: number;
  cursor?: string | undefined;
  order: "asc" | "desc";
  /** Includes the timeline of each item (decisions, Lists). */
  withSteps: boolean;
}

/**
 * Lists the runs of a workspace, newest first by default.
 * @throws ApiError BAD_REQUEST for a cursor of another list, or a version without an action or workflow
 */
export async function listRuns(filters: RunFilters, page: RunPage): Promise<Page<RunObject>> {
  const bound = { list: "runs", order: page.order, ...filters };
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor, bound);
  const time = await versionTime(filters);
  const rows = time === null ? [] : await readRuns(db(), filters, page, after, time);
  const timelines = new Map<string, PresentedTimeline>();
  for (const row of rows) timelines.set(row.id, await readTimeline(row, "full", { share: SHARE }));
  const keysetOf = (row: RunRow) => ({ createdAt: row.created_at, id: row.id });
  return toPage(rows, page.limit, bound, keysetOf, (row) => presentRun(row, timelines.get(row.id) ?? { steps: [] }));
}

/** Undefined if no version is requested, null if there is no such version. */
async function versionTime(filters: RunFilters): Promise<VersionTime | null | undefined> {
  const { version } = filters;
  return version === undefined ? undefined : findVersionTime({ ...filters, version });
}

/**
 * Returns the runs of a page, and one more if there is one.
 * @param after the last run of the previous page
 * @param time when the requested version was current
 */
export async function readRuns(
  on: Db,
  filters: RunFilters,
  { limit, order, withSteps }: RunPage,
  after: Keyset | null,
  time?: VersionTime,
): Promise<RunRow[]> {
  const request = { filters, order, after, time };
  const words = errorQuery(filters);
  const values = { ...runsValues(request), limit: limit + 1 };
  if (words === undefined) return selectRuns.all(on, { ...request, withSteps }, values);
  // Without this, every run would be read for a value that none of them has.
  if (filters.statuses?.every((status) => isSuccess(status) || !isTerminal(status))) return [];
  const ids = await findErrorRuns(on, { request, words, limit: limit + 1 });
  if (ids.length === 0) return [];
  return selectFound.all(on, { order, withSteps }, { workspaceId: filters.workspaceId, ids });
}

/**
 * One statement for each combination of filters, none of them prepared: planned with the actual values, rare statuses
 * and sources use their partial indexes, which a plan for any value could not.
 */
const selectRuns = defineVariants({
  name: "list_runs",
  params: { ...RUNS_PARAMS, limit: bigint },
  row: RUN_COLUMN_TYPES,
  sql: (variant: RunsRequest & { withSteps: boolean }, place) => {
    const { range, rest } = filterRuns(variant, place);
    const where = [...range, ...rest].join(" and ");
    const versions = variant.time === undefined ? [""] : versionParts(variant.time, place);
    const parts = versions.flatMap((version) => filterStatuses(variant, place).map((part) => `${part}${version}`));
    const order = `order by r.created_at ${variant.order}, r.id ${variant.order}`;
    const limit = `limit ${place("limit")}`;
    const selects = parts.map((part) => `(select r.* from runs r where ${where} and ${part} ${order} ${limit})`);
    return `with page as materialized (select r.* from (${selects.join(" union all ")}) r ${order} ${limit})
      select ${runColumns(journalColumns(variant.withSteps ? "full" : "none", SHARE))} from page r ${order}`;
  },
  examples: () => exampleRequests().flatMap((request) => [true, false].map((withSteps) => ({ ...request, withSteps }))),
});

const selectFound = defineVariants({
  name: "list_found_runs",
  params: { workspaceId: uuid, ids: array(uuid) },
  row: RUN_COLUMN_TYPES,
  sql: ({ order, withSteps }: Pick<RunPage, "order" | "withSteps">, place) =>
    `select ${runColumns(journalColumns(withSteps ? "full" : "none", SHARE))} from runs r
     where r.workspace_id = ${place("workspaceId")} and r.id = any(${place("ids")})
     order by r.created_at ${order}, r.id ${order}`,
  examples: () => [
    { order: "asc", withSteps: true },
    { order: "desc", withSteps: false },
  ],
});

/**
 * Versions follow each other: the runs of a version lie within its time, where the workflow's index finds them. After
 * it there are only replays, which have an index of their own. An index by version would cost every run and be used
 * rarely.
 */
function versionParts({ until }: VersionTime, place: RunsPlace): string[] {
  const isVersion = ` and r.workflow_version_id = ${place("versionId")}`;
  const since = `${isVersion} and r.created_at >= ${place("versionFrom")}`;
  if (until === null) return [since];
  const end = place("versionUntil");
  return [`${since} and r.created_at < ${end}`, `${isVersion} and r.source = 'replay' and r.created_at >= ${end}`];
}
