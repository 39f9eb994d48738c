import { upstreamIds } from "#lib/core/graph/edges";
import { rerunNodes } from "#lib/core/graph/rerun-nodes";
import { nodeLabel } from "#lib/core/steps/node-data";
import type { Analysis } from "@/components/canvas/document/analysis";
import { frameOfNode, loopsAround, ROOT } from "@/components/canvas/document/frames";
import type { Pin, TestState } from "@/components/canvas/store/test-store";

export type StepPlan = { pins: Readonly<Record<string, Pin>> } | { refusal: string };

/**
 * Returns the pins for running one step alone: the outputs of all steps before it, from earlier tests. The entry step
 * isn't pinned, because it gets the test input. Skipped steps are skipped again, because the steps that skipped them
 * are pinned.
 */
export function pinsForStep(analysis: Analysis, nodeId: string, known: Pick<TestState, "pins" | "results">): StepPlan {
  if (loopsAround(analysis.index.definition, nodeId).length > 0) {
    return { refusal: "A step inside a loop can't be tested alone. Run to this step instead." };
  }
  return takeOutputs(analysis, upstreamIds(analysis.index, nodeId), known);
}

/**
 * Returns the pins for a run that executes only a step and the steps after it: the outputs of all other steps,
 * including those of parallel branches, from earlier tests. Later steps that the user pinned stay pinned. The step
 * itself is executed.
 */
export function pinsFromStep(analysis: Analysis, nodeId: string, known: Pick<TestState, "pins" | "results">): StepPlan {
  const { definition } = analysis.index;
  if (loopsAround(definition, nodeId).length > 0) {
    return { refusal: "A run can't start inside a loop. Run from the loop instead." };
  }
  const executed = rerunNodes(definition, [nodeId]);
  // A loop that is pinned as a whole needs no pins for its body.
  const others = definition.nodes.map(({ id }) => id).filter((id) => frameOfNode(definition, id) === ROOT);
  const plan = takeOutputs(
    analysis,
    others.filter((id) => !executed.has(id)),
    known,
  );
  if ("refusal" in plan) return plan;
  const later = Object.entries(known.pins).filter(([id]) => executed.has(id) && id !== nodeId);
  return { pins: { ...plan.pins, ...Object.fromEntries(later) } };
}

function takeOutputs(analysis: Analysis, ids: Iterable<string>, known: Pick<TestState, "pins" | "results">): StepPlan {
  const pins: Record<string, Pin> = {};
  const missing: string[] = [];
  for (const id of ids) {
    const node = analysis.index.nodes.get(id);
    if (node === undefined || node === analysis.index.entry) continue;
    const result = known.results[id];
    const pin = known.pins[id] ?? pinOf(result);
    if (pin !== null) pins[id] = pin;
    else if (result?.step.status !== "skipped") missing.push(nodeLabel(node));
  }
  if (missing.length === 0) return { pins };
  return { refusal: `${missing.join(", ")} ${missing.length === 1 ? "has" : "have"} no output yet.` };
}

/** Returns null for a step without output, or if its output is too large to send back. */
export function pinOf(result: TestState["results"][string] | undefined): Pin | null {
  if (result === undefined || result.step.status !== "completed" || result.step.truncated) return null;
  return { value: result.step.output, fromRunId: result.runId };
}

/** Returns the pins of existing nodes, in the operation's format. */
export function asRequest(
  pins: Readonly<Record<string, Pin>>,
  ids: ReadonlySet<string>,
): { pinned: Record<string, unknown>; pinned_from: Record<string, string> } {
  const pinned: Record<string, unknown> = {};
  const pinnedFrom: Record<string, string> = {};
  for (const [id, { value, fromRunId }] of Object.entries(pins)) {
    if (!ids.has(id)) continue;
    pinned[id] = value;
    if (fromRunId !== null && JSON.stringify(value).includes("[REDACTED")) pinnedFrom[id] = fromRunId;
  }
  return { pinned, pinned_from: pinnedFrom };
}
