import type { JournalEventObject, StepItem } from "#lib/contract/journal";
import type { RunObject } from "#lib/contract/run";
import { presentApproval } from "#lib/domain/approvals/present-approval";
import type { RunRow } from "#lib/domain/runs/read/run-row";

interface Timeline {
  steps: StepItem[];
  events?: JournalEventObject[];
}

/** The run object (contract, Run; decisions, Runs). */
export function presentRun(row: RunRow, timeline: Timeline): RunObject {
  return {
    run_id: row.id,
    action_slug: row.action_slug,
    action_release_version: row.action_release_version,
    source: row.source,
    status: row.status,
    input: row.input,
    output: row.output,
    error: row.error,
    steps: timeline.steps,
    approval: row.approval === null ? null : presentApproval(row.approval),
    dry_run: row.dry_run,
    correlation_id: row.correlation_id,
    workflow_id: row.workflow_id,
    workflow_version_id: row.workflow_version_id,
    resume_from_run_id: row.resume_from_run_id,
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
    duration_ms: durationOf(row),
    created_at: row.created_at.toISOString(),
    ...(timeline.events === undefined ? {} : { events: timeline.events }),
  };
}

/** From the first claim to the end. A dry run takes no time; a run that ended before it started has no duration. */
function durationOf(row: RunRow): number | null {
  if (row.completed_at === null) return null;
  if (row.dry_run) return 0;
  return row.started_at === null ? null : row.completed_at.getTime() - row.started_at.getTime();
}

/**
 * A run as its 202 told it (contract, Endpoints): the nulls of a new run, and for one held back its approval as it was
 * opened. Also the answer a repeated idempotency key gets, however far the run has come since.
 */
export function presentNewRun(row: RunRow): RunObject {
  const isHeld = row.approval?.kind === "policy";
  return presentRun(
    {
      ...row,
      status: row.dry_run ? "succeeded" : isHeld ? "waiting_for_approval" : "accepted",
      output: null,
      error: null,
      started_at: null,
      completed_at: null,
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
} as const;
