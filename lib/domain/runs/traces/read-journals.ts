import { EVENT_KINDS } from "#lib/contract/run/journal";
import { RUN_SOURCES, RUN_STATUSES } from "#lib/contract/run/run";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { type GatheredSteps, gatherSteps, startGathering } from "#lib/domain/runs/traces/gather-steps";
import {
  array,
  bigint,
  boolean,
  enumOf,
  float8,
  integer,
  json,
  nullable,
  type RowOf,
  text,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

/**
 * Events that one statement reads, of one or of many runs: the longest run has more than 20,000. A page takes 5 to 9 ms
 * of CPU.
 */
const EVENTS_AT_ONCE = 2_000;

const millis = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const RUN_TO_TRACE = {
  id: uuid,
  workspaceId: uuid,
  workflowId: uuid,
  versionId: nullable(uuid),
  /** Of a run that has a definition of its own. */
  ownNodes: nullable(json<Pick<GraphNode, "id" | "type" | "parentId">[]>()),
  actionSlug: nullable(text),
  source: enumOf(RUN_SOURCES),
  status: enumOf(RUN_STATUSES),
  errorCode: nullable(text),
  traceparent: nullable(text),
  originalId: nullable(uuid),
  originalTraceparent: nullable(text),
  createdMs: float8,
  queuedMs: float8,
  startedMs: nullable(float8),
  endedMs: float8,
  recoveries: integer,
};

export type RunToTrace = RowOf<typeof RUN_TO_TRACE>;

export const selectTracedRuns = defineStatement({
  name: "read_traced_runs",
  params: { runIds: array(uuid) },
  row: RUN_TO_TRACE,
  // Of a definition of 1 MiB, only the nodes are read.
  sql: `select r.id, r.workspace_id as "workspaceId", r.workflow_id as "workflowId", r.workflow_version_id as "versionId",
          (select json_agg(json_build_object('id', n->'id', 'type', n->'type', 'parentId', n->'parentId'))
            from json_array_elements(r.definition->'nodes') n) as "ownNodes",
          r.action_slug as "actionSlug", r.source, r.status,
          r.error->>'code' as "errorCode", r.traceparent, o.id as "originalId", o.traceparent as "originalTraceparent",
          ${millis("r.created_at")} as "createdMs",
          ${millis("coalesce((select a.decided_at from approvals a where a.run_id = r.id and a.node_id = ''), r.created_at)")}
            as "queuedMs",
          ${millis("r.started_at")} as "startedMs", ${millis("r.completed_at")} as "endedMs", r.recoveries
        from runs r left join runs o on o.id = r.resume_from_run_id
        where r.id = any($1::uuid[]) and r.completed_at is not null and not r.dry_run`,
});

const selectEvents = defineStatement({
  name: "read_traced_events",
  params: { runIds: array(uuid), afterSeq: bigint, limit: bigint },
  row: {
    runId: uuid,
    seq: bigint,
    nodeId: text,
    iteration: text,
    kind: enumOf(EVENT_KINDS),
    attempt: integer,
    atMs: float8,
    durationMs: nullable(integer),
    isWholeAttempt: boolean,
    errorCode: nullable(text),
  },
  // One search per run: for a list of runs, PostgreSQL may read the whole week, which took 8 ms for 2,000 runs. The
  // nested loop keeps the order of the list. An outer ORDER BY would read the journals of all runs for every page.
  sql: `select e.* from unnest($1::uuid[]) with ordinality as ended(id, place) cross join lateral (
          select run_id as "runId", seq, node_id as "nodeId", iteration, kind, attempt, ${millis("at")} as "atMs",
            duration_ms as "durationMs", kind = 'step_completed' and input_data is not null as "isWholeAttempt",
            error->>'code' as "errorCode"
          from journal_events(ended.id)
          where not reused and seq > case when ended.place = 1 then $2::bigint else 0 end
          order by seq limit $3) e limit $3`,
});

/**
 * Reads the journals of ended runs, one page after another, and yields each run when all of its events are gathered. So
 * however long the runs are, one page and the steps of one run are in memory.
 */
export async function* readJournals(runs: readonly RunToTrace[]): AsyncGenerator<[RunToTrace, GatheredSteps]> {
  let left = runs;
  let afterSeq = 0;
  let gathered = startGathering();
  while (left.length > 0) {
    const runIds = left.map(({ id }) => id);
    const page = await selectEvents.all(db(), { runIds, afterSeq, limit: EVENTS_AT_ONCE });
    const byRun = Map.groupBy(page, ({ runId }): string => runId);
    // The last run of a full page may have more events.
    const last = page.length < EVENTS_AT_ONCE ? undefined : page.at(-1);
    afterSeq = last?.seq ?? 0;
    for (const run of left) {
      gatherSteps(gathered, byRun.get(run.id) ?? []);
      if (run.id === last?.runId) break;
      left = left.slice(1);
      yield [run, gathered];
      gathered = startGathering();
    }
  }
}
