import { LIMITS } from "#lib/contract/limits";
import type { Plan } from "#lib/contract/workspace/plans";
import { readTaken, TAKE_ROW, type TakenRequest, takeRequest, windowLimits } from "#lib/domain/limits/take-request";
import { type EventsRead, journalColumns, PACKED_JOIN } from "#lib/domain/runs/read/journal-columns";
import { RUN_COLUMN_TYPES, type RunRow, runColumns } from "#lib/domain/runs/read/run-row";
import { isKnownSql, runTagSql } from "#lib/domain/runs/read/run-tag";
import { wasRefused } from "#lib/platform/db/classify-database-error";
import { array, bigint, boolean, jsonb, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { gather } from "#lib/support/gather";
import { NIL_UUID } from "#lib/support/ids";

/** A run to be read, and the part of its journal. */
export interface WantedRun {
  runId: string;
  events: Exclude<EventsRead, "none">;
  /** The place from which the steps are shown. A later page reads its events itself. */
  from: number;
  /** The entity tags that the caller knows, as `If-None-Match` has them. */
  knownTags: string | null;
}

export interface FoundRun {
  row: RunRow;
  /** Changes whenever the answer about the run does. */
  tag: string;
  /** True if the caller knows the tag. Then the journal was not read. */
  isKnown: boolean;
}

/** Each may contain 2 MiB of journal. */
const RUNS_PER_STATEMENT = 4;
/**
 * Always true. It makes PostgreSQL expect one run, as it does when it sees the values: otherwise, it would expect ten,
 * find the plan for any values too expensive, and plan the statement again each time, which takes longer than to execute
 * it.
 */
const IS_EXPECTED = `place between 1 and ${RUNS_PER_STATEMENT}`;
const TOGETHER = { atOnce: 3, max: RUNS_PER_STATEMENT, isItemsFault: wasRefused };

const FOUND_ROW = { ...RUN_COLUMN_TYPES, id: nullable(uuid), tag: text, is_known: boolean };

function readFound({ id, tag, is_known: isKnown, ...row }: RowOf<typeof FOUND_ROW>): FoundRun | null {
  return id === null ? null : { row: { id, ...row }, tag, isKnown };
}

const MAX_EVENTS = `case when wanted.from_seq > 0 then 0 else ${LIMITS.timelineEvents} end`;

/**
 * Builds the SQL of one wanted run. `offset 0` keeps each run a lookup of its own: a join of the whole would be planned
 * for any number of them. The comparison of the workspaces fits no index, so the run is found by its id: a plan that was
 * made while the table was small would otherwise read all runs of the workspace.
 * @param workspaceId an expression: the workspace whose run may be read, or null for none
 */
function runSql(events: EventsRead, workspaceId: string): string {
  const journal = journalColumns(events, { maxEvents: MAX_EVENTS, packed: "p", unless: "v.is_known" });
  return `(select ${runColumns(journal)}, v.tag, v.is_known
      from runs r ${PACKED_JOIN} cross join lateral (select t.tag, ${isKnownSql("t.tag", "wanted.known_tags")} as is_known
        from (select ${runTagSql("r", "p")} as tag offset 0) t offset 0) v
      where r.id = wanted.run_id and r.workspace_id is not distinct from ${workspaceId} offset 0)`;
}

interface RunOfWorkspace extends WantedRun {
  workspaceId: string;
}

function gatherRuns(events: WantedRun["events"]) {
  const selectRuns = defineStatement({
    name: `find_runs_${events}`,
    params: { runIds: array(uuid), workspaceIds: array(uuid), from: array(bigint), knownTags: array(nullable(text)) },
    row: FOUND_ROW,
    sql: `select run.* from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[])
          with ordinality as wanted (run_id, workspace_id, from_seq, known_tags, place)
        left join lateral ${runSql(events, "wanted.workspace_id")} run on true
        where wanted.${IS_EXPECTED} order by wanted.place`,
    warmUp: { runIds: [NIL_UUID], workspaceIds: [NIL_UUID], from: [0], knownTags: [null] },
  });
  return gather(async (wanted: readonly RunOfWorkspace[]) => {
    const rows = await selectRuns.all(db(), {
      workspaceIds: wanted.map((run) => run.workspaceId),
      ...columnsOf(wanted),
    });
    return rows.map(readFound);
  }, TOGETHER);
}

function columnsOf(wanted: readonly WantedRun[]) {
  return {
    runIds: wanted.map((run) => run.runId),
    from: wanted.map((run) => run.from),
    knownTags: wanted.map((run) => run.knownTags),
  };
}

const FIND_RUN = { without_payloads: gatherRuns("without_payloads"), full: gatherRuns("full") };

/** Reads a run of a workspace with its journal, or null, in one round trip that concurrent readers share. */
export function findRun(workspaceId: string, wanted: WantedRun): Promise<FoundRun | null> {
  return FIND_RUN[wanted.events]({ ...wanted, workspaceId });
}

interface RunOfKey extends WantedRun {
  keyId: string;
}

export interface TakenWithRun {
  taken: TakenRequest;
  /** Null for a run of another workspace, and for every run if the request is refused. Absent if it was not read. */
  found?: FoundRun | null;
}

function gatherTaken(events: WantedRun["events"]) {
  const takeAndFind = defineStatement({
    name: `take_requests_${events}`,
    params: {
      keyIds: array(uuid),
      limits: jsonb<Partial<Record<Plan, number>>>(),
      runIds: array(uuid),
      from: array(bigint),
      knownTags: array(nullable(text)),
    },
    row: { ...TAKE_ROW, ...FOUND_ROW },
    sql: `select taken.*, run.* from take_requests($1, $2) taken
        join unnest($3::uuid[], $4::bigint[], $5::text[])
          with ordinality as wanted (run_id, from_seq, known_tags, place) on wanted.place = taken.place
        left join lateral ${runSql(events, "case when taken.is_allowed then taken.workspace_id end")} run on true
        where taken.${IS_EXPECTED} order by taken.place`,
    warmUp: { keyIds: [NIL_UUID], limits: {}, runIds: [NIL_UUID], from: [0], knownTags: [null] },
  });
  return gather(async (wanted: readonly RunOfKey[]): Promise<TakenWithRun[]> => {
    const keyIds = wanted.map((run) => run.keyId);
    const rows = await takeAndFind.all(db(), { keyIds, limits: windowLimits(), ...columnsOf(wanted) });
    return rows.map((row) => ({ taken: readTaken(row), found: readFound(row) }));
  }, TOGETHER);
}

const TAKE_AND_FIND = { without_payloads: gatherTaken("without_payloads"), full: gatherTaken("full") };

/**
 * Spends one request of the key's window, and reads a run if the request is allowed: `takeRequest` and `findRun` in one
 * round trip. Whether the key may see the run is the caller's to decide. The run is as it was when the statement
 * started. If PostgreSQL refuses the statement, only the request is spent: an answer always shows the key's window.
 */
export async function takeRequestAndRun(keyId: string, wanted: WantedRun): Promise<TakenWithRun> {
  try {
    return await TAKE_AND_FIND[wanted.events]({ ...wanted, keyId });
  } catch (error) {
    // The refused statement has spent nothing.
    if (!wasRefused(error)) throw error;
    return { taken: await takeRequest(keyId) };
  }
}
