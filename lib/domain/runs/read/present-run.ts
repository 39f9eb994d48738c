import type { JournalEventObject, RunWarning, StepItem } from "#lib/contract/run/journal";
import type { RunObject } from "#lib/contract/run/run";
import { FILLED_LATER } from "#lib/contract/run/run-schema";
import { presentApproval } from "#lib/domain/approvals/present-approval";
import { isMade, type MadeField, RUN_FIELDS, type RunRow, runOutputContext } from "#lib/domain/runs/read/run-row";
import { log } from "#lib/platform/config/log";
import { unseal } from "#lib/platform/secrets/seal";

export interface PresentedTimeline {
  steps: StepItem[];
  steps_page?: RunObject["steps_page"];
  events?: JournalEventObject[];
  /** Those of the events that were read; absent if there are none. */
  warnings?: RunWarning[];
}

/** Makes each field that is not a column of the run. */
const MADE: { [Field in MadeField]: (row: RunRow, timeline: PresentedTimeline) => RunObject[Field] } = {
  run_id: (row) => row.id,
  steps: (_row, timeline) => timeline.steps,
  steps_page: (_row, timeline) => timeline.steps_page,
  approval: (row) => (row.approval === null ? null : presentApproval(row.approval)),
  duration_ms: durationOf,
  // A run that is executing, or that a person ended, has only those of its steps.
  cancelled_by: (row) => row.cancelled_by ?? undefined,
  warnings: (row, timeline) => row.warnings ?? timeline.warnings,
  events: (_row, timeline) => timeline.events,
};

/** Looked up once, because a page presents a hundred runs. */
const FIELDS = RUN_FIELDS.map((field) => ({ field, make: makerOf(field) }));

function makerOf(field: keyof RunObject): (row: RunRow, timeline: PresentedTimeline) => unknown {
  if (isMade(field)) return MADE[field];
  return field === "output" ? openOutput : (row) => wireValue(row[field]);
}

function wireValue(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

/** Presents the run object (contract, Run; decisions, Runs). */
export function presentRun(row: RunRow, timeline: PresentedTimeline): RunObject {
  const run: Partial<Record<keyof RunObject, unknown>> = {};
  for (const { field, make } of FIELDS) {
    const value = make(row, timeline);
    if (value !== undefined) run[field] = value;
  }
  return run as RunObject;
}

/**
 * Measured from the first claim to the end. A dry run takes no time; a run that ended before it started has no
 * duration.
 */
function durationOf(row: RunRow): number | null {
  if (row.completed_at === null) return null;
  if (row.dry_run) return 0;
  return row.started_at === null ? null : row.completed_at.getTime() - row.started_at.getTime();
}

/**
 * Presents a run as its 202 showed it (contract, Endpoints): with the nulls of a new run and, if it was held, its
 * approval as it was opened. A repeated idempotency key gets the same answer, however far the run has come since.
 */
export function presentNewRun(row: RunRow): RunObject {
  const isHeld = row.approval?.kind === "policy";
  return presentRun(
    {
      ...row,
      status: row.dry_run ? "succeeded" : isHeld ? "waiting_for_approval" : "accepted",
      ...FILLED_LATER,
      cancelled_by: null,
      warnings: null,
      served_output: null,
      sealed_for: null,
      approval: isHeld && row.approval ? { ...row.approval, ...UNDECIDED } : null,
    },
    { steps: [] },
  );
}

const UNDECIDED = {
  status: "pending",
  decided_at: null,
  decided_by_type: null,
  decided_by_id: null,
  decided_by_name: null,
  comment: null,
  comment_sealed: null,
} as const;

/**
 * Returns the output of a run as its callers get it. If its key is lost, they get the redacted one: a run stays readable
 * (decisions, Redaction).
 */
export function openOutput({
  id,
  output,
  served_output,
  sealed_for,
}: Pick<RunRow, "id" | "output" | "served_output" | "sealed_for">): RunObject["output"] {
  if (served_output === null || sealed_for === null) return output;
  try {
    return unseal(sealed_for, runOutputContext(id), served_output);
  } catch (err) {
    log.warn({ err, run_id: id }, "the output of a run cannot be decrypted; callers get its redacted form");
    return output;
  }
}
