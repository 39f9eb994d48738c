import { ApiError } from "#lib/contract/api-error";
import type { RunObject, StepsView } from "#lib/contract/run";
import { presentRun } from "#lib/domain/runs/read/present-run";
import { readTimeline } from "#lib/domain/runs/read/read-timeline";
import { type EventsRead, RUN_COLUMN_TYPES, type RunRow, runColumns } from "#lib/domain/runs/read/run-row";
import { wasRefused } from "#lib/platform/db/classify-database-error";
import { array, bigint, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";
import { gather } from "#lib/support/gather";
import { UUID_PATTERN } from "#lib/support/ids";

/** Identifies a run. */
export interface RunReference {
  workspaceId: string;
  runId: string;
  /** The actions whose runs a limited key may see; null means all. */
  actionSlugs: readonly string[] | null;
}

export interface RunReading {
  steps: StepsView;
  /** Adds the raw journal (decisions, Reading runs). */
  withEvents: boolean;
  /** The actions whose runs a limited key may see; null means all. */
  actionSlugs: readonly string[] | null;
  /** The page of steps: `steps_page.next_cursor` of the page before. */
  stepsCursor?: string | undefined;
}

/** @throws ApiError BAD_REQUEST */
function readStepsCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,15}$/.test(cursor)) {
    throw new ApiError("BAD_REQUEST", "steps_cursor: send the value of steps_page.next_cursor");
  }
  return Number(cursor);
}

/**
 * Returns one run with its status, output and timeline. Once the process knows the version's definition, it takes one
 * round trip, which concurrent readers share.
 * @throws ApiError RUN_NOT_FOUND for an unknown run, one of another workspace, and one of an action the key may not see
 * alike
 */
export async function getRun(workspaceId: string, runId: string, reading: RunReading): Promise<RunObject> {
  const events: EventsRead = reading.steps === "summary" && !reading.withEvents ? "without_payloads" : "full";
  const from = readStepsCursor(reading.stepsCursor);
  const found = UUID_PATTERN.test(runId) ? await FIND_RUN[events]({ workspaceId, runId, from }) : null;
  const row = found && isVisible(found, reading.actionSlugs) ? found : null;
  if (!row) throw runNotFound();
  return presentRun(row, await readTimeline(row, reading.steps, { from, withEvents: reading.withEvents }));
}

function isVisible(row: RunRow, actionSlugs: readonly string[] | null): boolean {
  return actionSlugs === null || (row.action_slug !== null && actionSlugs.includes(row.action_slug));
}

/** Each may contain 8 MiB of journal. */
const RUNS_PER_STATEMENT = 4;

interface WantedRun extends Pick<RunReference, "workspaceId" | "runId"> {
  from: number;
}

const FIND_RUN = { without_payloads: gatherRuns("without_payloads"), full: gatherRuns("full") };

function gatherRuns(events: EventsRead) {
  const selectRuns = defineStatement({
    name: `find_runs_${events}`,
    params: { runIds: array(uuid), workspaceIds: array(uuid), from: array(bigint) },
    row: { ...RUN_COLUMN_TYPES, id: nullable(uuid) },
    // `offset 0` keeps each run a lookup of its own: a join of the whole would be planned for any number of them.
    sql: `select run.* from unnest($1::uuid[], $2::uuid[], $3::bigint[]) with ordinality as wanted (id, workspace_id, from_seq, place)
        left join lateral (select ${runColumns(events, { fromSeq: "wanted.from_seq" })} from runs r
          where r.id = wanted.id and r.workspace_id = wanted.workspace_id offset 0) run on true
        order by wanted.place`,
  });
  const findRuns = async (wanted: readonly WantedRun[]) => {
    const rows = await selectRuns.all(db(), {
      runIds: wanted.map((run) => run.runId),
      workspaceIds: wanted.map((run) => run.workspaceId),
      from: wanted.map((run) => run.from),
    });
    return rows.map(({ id, ...row }) => (id === null ? null : { id, ...row }));
  };
  return gather(findRuns, { atOnce: 3, max: RUNS_PER_STATEMENT, isItemsFault: wasRefused });
}

function defineGetRun(events: EventsRead) {
  return defineStatement({
    name: `get_run_${events}`,
    params: { runId: uuid, workspaceId: uuid, actionSlugs: nullable(array(text)) },
    row: RUN_COLUMN_TYPES,
    sql: `select ${runColumns(events)} from runs r
          where r.id = $1 and r.workspace_id = $2 and ($3::text[] is null or r.action_slug = any($3))`,
  });
}

const GET_RUN = {
  none: defineGetRun("none"),
  without_payloads: defineGetRun("without_payloads"),
  full: defineGetRun("full"),
};

/**
 * Returns a run as `from` sees it: inside the transaction that changed it, in its new state.
 * @throws ApiError RUN_NOT_FOUND
 */
export async function getRunRow(from: Db, { workspaceId, runId, actionSlugs }: RunReference, events: EventsRead) {
  const row = UUID_PATTERN.test(runId) ? await GET_RUN[events].first(from, { runId, workspaceId, actionSlugs }) : null;
  if (!row) throw runNotFound();
  return row;
}

export function runNotFound(): ApiError {
  return new ApiError("RUN_NOT_FOUND", "There is no such run.");
}
