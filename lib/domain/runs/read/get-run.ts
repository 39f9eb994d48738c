import { ApiError } from "#lib/contract/error/api-error";
import type { RunObject, StepsView } from "#lib/contract/run/run";
import { type FoundRun, findRun, type WantedRun } from "#lib/domain/runs/read/find-run";
import { type EventsRead, journalColumns, PACKED_JOIN } from "#lib/domain/runs/read/journal-columns";
import { presentRun } from "#lib/domain/runs/read/present-run";
import { readTimeline } from "#lib/domain/runs/read/read-timeline";
import { RUN_COLUMN_TYPES, type RunRow, runColumns } from "#lib/domain/runs/read/run-row";
import { array, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
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
  /** The entity tags that the caller knows, as `If-None-Match` has them. */
  knownTags?: string | undefined;
  /** The run, if it was read with the request. */
  found?: FoundRun | null | undefined;
}

/** A run as it is presented, and the tag that changes with it. */
export interface TaggedRun {
  run: RunObject;
  tag: string;
  /** True if the caller knows the tag. Then the run has no steps, because its journal was not read. */
  isKnown: boolean;
}

const STEPS_CURSOR_PATTERN = /^\d{1,15}$/;

/** Returns what has to be read of a run, or null if no run has this id or the cursor is invalid. */
export function wantedRun(runId: string, reading: Omit<RunReading, "actionSlugs">): WantedRun | null {
  const { steps, withEvents, stepsCursor = "0", knownTags = null } = reading;
  if (!UUID_PATTERN.test(runId) || !STEPS_CURSOR_PATTERN.test(stepsCursor)) return null;
  const events = steps === "summary" && !withEvents ? "without_payloads" : "full";
  return { runId, events, from: Number(stepsCursor), knownTags };
}

/** @throws ApiError BAD_REQUEST */
function assertStepsCursor(cursor: string | undefined): void {
  if (cursor === undefined || STEPS_CURSOR_PATTERN.test(cursor)) return;
  throw new ApiError("BAD_REQUEST", "steps_cursor: send the value of steps_page.next_cursor");
}

/**
 * Returns one run with its status, output and timeline. Once the process knows the version's definition, it takes one
 * round trip, which concurrent readers share, and none if the run was read with the request.
 * @throws ApiError RUN_NOT_FOUND for an unknown run, one of another workspace, and one of an action the key may not see
 * alike
 */
export async function getRun(workspaceId: string, runId: string, reading: RunReading): Promise<TaggedRun> {
  assertStepsCursor(reading.stepsCursor);
  const wanted = wantedRun(runId, reading);
  const found = reading.found !== undefined ? reading.found : wanted && (await findRun(workspaceId, wanted));
  if (!wanted || !found || !isVisible(found.row, reading.actionSlugs)) throw runNotFound();
  const { row, tag, isKnown } = found;
  if (isKnown) return { run: presentRun(row, { steps: [] }), tag, isKnown };
  const timeline = await readTimeline(row, reading.steps, { from: wanted.from, withEvents: reading.withEvents });
  return { run: presentRun(row, timeline), tag, isKnown };
}

function isVisible(row: RunRow, actionSlugs: readonly string[] | null): boolean {
  return actionSlugs === null || (row.action_slug !== null && actionSlugs.includes(row.action_slug));
}

function defineGetRun(events: EventsRead) {
  return defineStatement({
    name: `get_run_${events}`,
    params: { runId: uuid, workspaceId: uuid, actionSlugs: nullable(array(text)) },
    row: RUN_COLUMN_TYPES,
    sql: `select ${runColumns(journalColumns(events, { packed: "p" }))} from runs r ${PACKED_JOIN}
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
