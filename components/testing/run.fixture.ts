import type { StepItem } from "#lib/contract/run/journal";
import type { RunError, RunObject } from "#lib/contract/run/run";
import type { RunGraphObject, StepDetailObject } from "#lib/contract/wire/web";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { idOf } from "@/components/testing/page.fixture";
import { RUN } from "@/components/testing/sample-objects.fixture";

const START_MS = Date.parse("2026-01-05T09:00:00.000Z");

/** Returns the time that many milliseconds after the sample run was created. */
export function runMoment(ms: number): string {
  return new Date(START_MS + ms).toISOString();
}

/** Returns a run of an action that took a second and succeeded. */
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

/** Returns the graph that a run executed, with an empty drawing. The timeline then consists of the run's own steps. */
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

export function stepError(): NonNullable<StepItem["error"]> {
  return { code: "VALIDATION_ERROR", message: "amount must be a number" };
}

/** Returns a pure step that is named after its id and completed in 50 ms. */
export function pureStep(id: string, changes: Partial<StepItem> = {}): StepItem {
  return sampleStep({
    step_id: id,
    name: id,
    type: "transform",
    started_at: runMoment(200),
    completed_at: runMoment(250),
    duration_ms: 50,
    ...changes,
  });
}

/** Returns the step in one item of a loop. */
export function stepOfItem(id: string, loopId: string, index: number, changes: Partial<StepItem> = {}): StepItem {
  return pureStep(id, { iteration: { loop_id: loopId, index, count: null, path: String(index) }, ...changes });
}

/** Returns steps in a row, each connected to the next one by an edge `<source>-<target>`. */
export function chainOf(...nodes: (Pick<GraphNode, "id" | "type"> & { name: string })[]): Definition {
  return {
    nodes: nodes.map(({ id, type, name }, index) => ({ id, type, position: { x: 0, y: index * 150 }, data: { name } })),
    edges: nodes.slice(1).map((node, index) => {
      const source = nodes[index]?.id ?? "";
      return { id: `${source}-${node.id}`, source, target: node.id };
    }),
  };
}

/** Returns the data that a step's panel requests: payloads and the journal. */
export function stepDetail(changes: Partial<StepDetailObject> = {}): StepDetailObject {
  return { input: { order: 7 }, output: { total: 12 }, events: [], ...changes };
}

const REFUND_STEP = sampleStep({
  step_id: "refund",
  name: "Refund",
  status: "failed",
  attempt: 3,
  error: { code: "TIMEOUT", message: "The shop did not answer." },
});
/** A run whose second step failed after three attempts. */
export const FAILED_RUN = sampleRun({
  status: "failed",
  output: null,
  steps: [sampleStep(), REFUND_STEP],
  error: { code: "TIMEOUT", message: "The shop did not answer.", step_id: "refund", step_name: "Refund" },
});
