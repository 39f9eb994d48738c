import type { Page } from "#lib/contract/page";
import type { RunObject, RunSource, RunStatus } from "#lib/contract/run";
import { decodeCursor, toPage } from "#lib/db/page-cursor";
import { db } from "#lib/db/pool";
import { presentRun } from "#lib/runs/present-run";
import { readTimeline } from "#lib/runs/read-timeline";
import { type RunRow, runColumns } from "#lib/runs/run-row";

export interface RunFilters {
  workspaceId: string;
  actionSlug?: string | undefined;
  workflowId?: string | undefined;
  statuses?: readonly RunStatus[] | undefined;
  sources?: readonly RunSource[] | undefined;
  correlationId?: string | undefined;
  resumeFromRunId?: string | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  /** A key limited to some actions sees their runs alone; null is all. */
  actionSlugs: readonly string[] | null;
}

export interface RunPage {
  limit: number;
  cursor?: string | undefined;
  order: "asc" | "desc";
  /** decisions, Lists: items carry their timeline. */
  withSteps: boolean;
}

/**
 * Runs of a workspace, newest first by default.
 * @throws ApiError BAD_REQUEST for a cursor of another list
 */
export async function listRuns(filters: RunFilters, page: RunPage): Promise<Page<RunObject>> {
  const bound = { list: "runs", order: page.order, ...filters };
  const { text, values } = buildQuery(
    filters,
    page,
    page.cursor === undefined ? null : decodeCursor(page.cursor, bound),
  );
  const { rows } = await db().query<RunRow>({ text, values });
  const timelines = new Map<string, RunObject["steps"]>();
  for (const row of rows) timelines.set(row.id, await readTimeline(row, "full"));
  const keysetOf = (row: RunRow) => ({ createdAt: row.created_at, id: row.id });
  return toPage(rows, page.limit, bound, keysetOf, (row) => presentRun(row, { steps: timelines.get(row.id) ?? [] }));
}

/**
 * One statement for each combination of filters, and none of them named: planned with the values at hand, the rare
 * statuses and sources are found by their partial indexes, which a plan for any value could not use.
 */
function buildQuery(filters: RunFilters, page: RunPage, after: { createdAt: Date; id: string } | null) {
  const values: unknown[] = [filters.workspaceId];
  const where = ["r.workspace_id = $1"];
  const add = (condition: (place: string) => string, value: unknown) => {
    if (value === undefined || value === null) return;
    values.push(value);
    where.push(condition(`$${values.length}`));
  };
  // A single value is compared by itself: only then does its index give the rows in their order.
  const addWords = (column: string, words: readonly string[] | undefined) =>
    words?.length === 1
      ? add((place) => `r.${column} = ${place}`, words[0])
      : add((place) => `r.${column} = any(${place})`, words);
  // An action belongs to one workflow for good, under one slug: that one's index serves both filters. Only tests of its
  // draft have no slug; comparing the slug as well would make the planner expect few rows and sort them all.
  add(
    (place) => `r.action_slug is not null
      and r.workflow_id = (select a.workflow_id from actions a where a.workspace_id = $1 and a.slug = ${place})`,
    filters.actionSlug,
  );
  add((place) => `r.action_slug = any(${place})`, filters.actionSlugs);
  add((place) => `r.workflow_id = ${place}`, filters.workflowId);
  add((place) => `r.correlation_id = ${place}`, filters.correlationId);
  add((place) => `r.resume_from_run_id = ${place}`, filters.resumeFromRunId);
  add((place) => `r.created_at >= ${place}`, filters.createdAfter);
  add((place) => `r.created_at < ${place}`, filters.createdBefore);
  addWords("status", filters.statuses);
  addWords("source", filters.sources);
  const sign = page.order === "asc" ? ">" : "<";
  if (after) {
    values.push(after.createdAt, after.id);
    where.push(`(r.created_at, r.id) ${sign} ($${values.length - 1}, $${values.length})`);
  }
  values.push(page.limit + 1);
  const order = `order by r.created_at ${page.order}, r.id ${page.order}`;
  const text = `with page as materialized (
      select r.* from runs r where ${where.join(" and ")} ${order} limit $${values.length})
    select ${runColumns(page.withSteps ? "full" : "none")} from page r ${order}`;
  return { text, values };
}
