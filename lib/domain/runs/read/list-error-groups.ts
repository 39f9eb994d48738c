import { LIMITS } from "#lib/contract/limits";
import type { RunObject } from "#lib/contract/run/run";
import type { ErrorGroup, ErrorGroups } from "#lib/contract/run/run-list";
import { exampleRequests } from "#lib/domain/runs/read/example-requests";
import {
  checkStatus,
  filterRuns,
  RUNS_PARAMS,
  type RunFilters,
  type RunsRequest,
  runsValues,
} from "#lib/domain/runs/read/run-filters";
import { boolean, filled, integer, jsonb, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineVariants } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";

const selectGroups = defineVariants({
  name: "list_error_groups",
  params: { ...RUNS_PARAMS, window: integer, limit: integer },
  row: {
    errorGroup: filled(uuid),
    runs: integer,
    firstAt: timestamptz,
    lastAt: timestamptz,
    lastRunId: uuid,
    workflowId: uuid,
    workflowName: text,
    error: filled(jsonb<NonNullable<RunObject["error"]>>()),
    isCut: boolean,
  },
  // The newest errors come from an index that contains the group, so that only one run of each group is read.
  sql: (request: RunsRequest, place) => {
    const { range, rest } = filterRuns(request, place);
    return `with newest as materialized (
        select r.id, r.created_at, r.error_group from runs r
        where ${[...range, ...rest, ...checkStatus(request, place)].join(" and ")} and r.error_words is not null
        order by r.created_at desc, r.id desc limit ${place("window")}::int + 1),
      counted as materialized (select * from newest order by created_at desc, id desc limit ${place("window")}::int),
      found as (
        select error_group, count(*)::int as runs, min(created_at) as first_at, max(created_at) as last_at,
          (array_agg(id order by created_at desc, id desc))[1] as last_id
        from counted group by error_group order by runs desc, last_at desc, error_group limit ${place("limit")}::int)
      select f.error_group as "errorGroup", f.runs, f.first_at as "firstAt", f.last_at as "lastAt",
        r.id as "lastRunId", r.workflow_id as "workflowId", w.name as "workflowName", r.error,
        (select count(*) from newest) > ${place("window")}::int as "isCut"
      from found f join runs r on r.id = f.last_id join workflows w on w.id = r.workflow_id
      order by f.runs desc, f.last_at desc, f.error_group`;
  },
  examples: () => exampleRequests().map((request) => ({ ...request, order: "desc" as const, time: undefined })),
});

/**
 * Groups the errors that a list of runs would show: those of the same workflow, step and code whose messages differ only
 * in ids and numbers (`prisma/migrations/20261130060000_initial`). The largest groups come first. Counts the newest errors up to
 * a limit, so that the time it takes does not grow with the history.
 */
export async function listErrorGroups(filters: RunFilters, on: Db = db()): Promise<ErrorGroups> {
  const request: RunsRequest = { filters, order: "desc", after: null, time: undefined };
  const rows = await selectGroups.all(on, request, {
    ...runsValues(request),
    window: LIMITS.errorGroupRuns,
    limit: LIMITS.errorGroups,
  });
  return {
    data: rows.map(
      (row): ErrorGroup => ({
        error_group: row.errorGroup,
        runs: row.runs,
        code: row.error.code,
        message: row.error.message,
        step_name: row.error.step_name ?? null,
        workflow_id: row.workflowId,
        workflow_name: row.workflowName,
        first_at: row.firstAt.toISOString(),
        last_at: row.lastAt.toISOString(),
        last_run_id: row.lastRunId,
      }),
    ),
    is_partial: rows[0]?.isCut ?? false,
  };
}
