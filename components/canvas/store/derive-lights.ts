import type { StepItem, StepStatus } from "#lib/contract/run/journal";
import { isTerminal, type RunObject } from "#lib/contract/run/run";
import { STEP_KINDS, STEP_TYPES } from "#lib/core/steps/step-kinds";
import { isJsonObject } from "#lib/support/json";
import { isSameLight, type NodeLight } from "@/components/canvas/store/node-light";
import { shownStatusOf } from "@/components/words/status";

export type Lights = Readonly<Record<string, NodeLight>>;

/** Picks the most relevant of several loop items: running, then failed, then the rest. */
const WEIGHTS: Record<StepStatus, number> = {
  started: 6,
  pending_approval: 5,
  failed: 4,
  timed_out: 4,
  failed_continued: 3,
  cancelled: 3,
  stopped: 3,
  completed: 2,
  skipped: 1,
};

/**
 * Returns the lights of a run by node id. An unchanged light stays the same object, so that one step's event renders
 * only one card.
 * @param nodeIds the nodes to mark as not reached when an ended run has no step for them
 */
export function deriveLights(run: RunObject, nodeIds: readonly string[], before: Lights): Lights {
  const lights: Record<string, NodeLight> = {};
  for (const [nodeId, steps] of Map.groupBy(run.steps, (step) => step.step_id)) lights[nodeId] = lightOf(steps);
  if (isTerminal(run.status)) for (const id of nodeIds) lights[id] ??= NOT_REACHED;
  for (const [id, light] of Object.entries(lights)) {
    const former = before[id];
    if (former !== undefined && isSameLight(former, light)) lights[id] = former;
  }
  return lights;
}

const NOT_REACHED: NodeLight = { status: "not_reached", durationMs: null, attempt: 1, items: null, taken: null };

function lightOf(steps: readonly StepItem[]): NodeLight {
  const loudest = steps.reduce((loud, step) => (WEIGHTS[step.status] >= WEIGHTS[loud.status] ? step : loud));
  const isInLoop = loudest.iteration !== null;
  const ended = steps.filter((step) => step.completed_at !== null).length;
  return {
    status: shownStatusOf(loudest),
    durationMs: isInLoop ? null : loudest.duration_ms,
    attempt: Math.max(...steps.map((step) => step.attempt)),
    items: isInLoop ? { done: ended, count: loudest.iteration?.count ?? null } : null,
    taken: isInLoop ? null : takenHandle(loudest),
  };
}

/** Returns the branch that the step's output chose; null when the step has only one branch or the output is unknown. */
function takenHandle({ type, status, output }: StepItem): string | null {
  const kind = STEP_TYPES.find((known) => known === type);
  if (kind === undefined || status !== "completed" || !isJsonObject(output)) return null;
  return STEP_KINDS[kind].chosenHandle?.(output) ?? null;
}
