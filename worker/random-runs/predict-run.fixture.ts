import { type Attempts, type PredictedResult, predictStep, settle } from "#worker/random-runs/predict-step.fixture";
import type { EdgeModel, Json, NodeModel, WorkflowModel } from "#worker/random-runs/workflow-model.fixture";

/** How a run can end. A failure on a parallel path leaves open how far the other paths get. */
export type Prediction =
  | { status: "succeeded"; output: Json; steps: ReadonlyMap<string, PredictedStep>; attempts: Attempts }
  | { status: "ended"; ends: readonly PredictedEnd[] };

export interface PredictedStep {
  status: "completed" | "skipped" | "failed_continued";
  output?: Json;
}

export interface PredictedEnd {
  status: "failed" | "cancelled";
  code: string;
  step: string;
}

const FAILED = "failed";

/**
 * Predicts a run: a step runs when every edge into it is decided and at least one was taken, and is skipped when none was
 * (decisions, The graph document).
 */
export function predictRun({ nodes, edges, input }: WorkflowModel): Prediction {
  const scope = new Map<string, Json>([["start", input]]);
  const attempts: Attempts = new Map();
  const steps = new Map<string, PredictedStep>();
  const taken = new Set<EdgeModel>();
  const undecided = new Set<string>();
  const ends: PredictedEnd[] = [];
  for (const node of nodes) {
    const incoming = edges.filter(({ to }) => to === node.id);
    if (incoming.some(({ from }) => undecided.has(from))) {
      undecided.add(node.id);
      continue;
    }
    if (incoming.length > 0 && !incoming.some((edge) => taken.has(edge))) {
      steps.set(node.id, { status: "skipped" });
      continue;
    }
    const result = predictStep(node.id, node.step, scope, attempts);
    settle(node, result, scope);
    const outgoing = edges.filter(({ from }) => from === node.id);
    const end = endOf(node, result, outgoing);
    if (end !== null) {
      ends.push(end);
      undecided.add(node.id);
      continue;
    }
    steps.set(
      node.id,
      "error" in result ? { status: "failed_continued" } : { status: "completed", output: result.output },
    );
    for (const edge of outgoing) if (isTaken(edge, result, outgoing)) taken.add(edge);
  }
  if (ends.length > 0) return { status: "ended", ends };
  const last = nodes.at(-1);
  const output = last === undefined ? null : (steps.get(last.id)?.output ?? null);
  return { status: "succeeded", output, steps, attempts };
}

/** A failure ends the run, unless the step continues or has a Failed branch. So does a rejection without a branch. */
function endOf(node: NodeModel, result: PredictedResult, outgoing: readonly EdgeModel[]): PredictedEnd | null {
  if ("error" in result) {
    const isHandled = node.continues || outgoing.some(({ handle }) => handle === FAILED);
    return isHandled ? null : { status: "failed", code: result.error, step: node.id };
  }
  const isRejected = node.step.kind === "gate" && result.handle === "rejected";
  if (!isRejected || outgoing.some(({ handle }) => handle === "rejected")) return null;
  return { status: "cancelled", code: "APPROVAL_REJECTED", step: node.id };
}

/** With a Failed branch, only that branch follows a failure; without one, the run continues as if the step had completed. */
function isTaken({ handle }: EdgeModel, result: PredictedResult, outgoing: readonly EdgeModel[]): boolean {
  if (!("error" in result)) return handle === null || handle === result.handle;
  const hasBranch = outgoing.some((edge) => edge.handle === FAILED);
  return hasBranch ? handle === FAILED : handle === null;
}
