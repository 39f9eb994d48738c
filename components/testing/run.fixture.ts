import type { StepItem } from "#lib/contract/journal";
import type { RunError, RunObject } from "#lib/contract/run";
import type { RunGraphObject } from "#lib/contract/web/web";
import { idOf } from "@/components/testing/page.fixture";
import { RUN } from "@/components/testing/sample-objects.fixture";

const START_MS = Date.parse("2026-01-05T09:00:00.000Z");

/** A moment that many milliseconds after the sample run was made. */
function runMoment(ms: number): string {
  return new Date(START_MS + ms).toISOString();
}

/** A run of an action that took a second and succeeded. */
export function sampleRun(changes: Partial<RunObject> = {}): RunObject {
  return {
    ...RUN,
    run_id: idOf(1),
    status: "succeeded",
    output: { refunded: true },
    created_at: runMoment(0),
    started_at: runMoment(100),
    completed_at: runMoment(1_000),
    duration_ms: 900,
    ...changes,
  };
}

export function runError(changes: Partial<RunError> = {}): RunError {
  return { code: "VALIDATION_ERROR", message: "amount must be a number", ...changes };
}

export function sampleStep(changes: Partial<StepItem> = {}): StepItem {
  return {
    step_id: "charge",
    name: "Charge",
    type: "connector",
    status: "completed",
    attempt: 1,
    iteration: null,
    reused: false,
    started_at: "2026-01-05T09:00:00.000Z",
    completed_at: "2026-01-05T09:00:00.008Z",
    duration_ms: 8,
    input: null,
    output: null,
    error: null,
    truncated: false,
    ...changes,
  };
}

/** What a run executed, with an empty drawing: the timeline then consists of the run's own steps. */
export function executedGraph(changes: Partial<RunGraphObject> = {}): RunGraphObject {
  return {
    workflow_name: "Refunds",
    is_deleted: false,
    version: 1,
    definition: { nodes: [], edges: [] },
    taken_edges: [],
    attempts: [],
    started_by: { key_prefix: "svc_abcd", name: "Support bot" },
    parent_run_id: null,
    ...changes,
  };
}
