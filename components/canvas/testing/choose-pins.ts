import { upstreamIds } from "#lib/core/graph/edges";
import { rerunNodes } from "#lib/core/graph/rerun-nodes";
import { nodeLabel } from "#lib/core/steps/node-data";
import type { Analysis } from "@/components/canvas/document/analysis";
import { frameOfNode, loopsAround, ROOT } from "@/components/canvas/document/frames";
import type { Pin, TestState } from "@/components/canvas/store/test-store";

export type StepPlan = { pins: Readonly<Record<string, Pin>> } | { refusal: string };

/**
 * What is taken from earlier tests so that one step runs alone: the outputs of everything before it. The entry is not
 * among them, it gets the test's input; what was skipped is skipped again, because what led past it is pinned.
 */
export function pinsForStep(analysis: Analysis, nodeId: string, known: Pick<TestState, "pins" | "results">): StepPlan {
  if (loopsAround(analysis.index.definition, nodeId).length > 0) {
    return { refusal: "A step inside a loop runs with its loop: run to it instead." };
  }
  return takeOutputs(analysis, upstreamIds(analysis.index, nodeId), known);
}

/**
 * What is taken from earlier tests so that a run executes a step and what follows it, and nothing else: the outputs of all
 * other steps, those of a branch beside it too. What people pinned further down stays pinned; the step itself is executed.
 */
export function pinsFromStep(analysis: Analysis, nodeId: string, known: Pick<TestState, "pins" | "results">): StepPlan {
  const { definition } = analysis.index;
  if (loopsAround(definition, nodeId).length > 0) {
    return { refusal: "A step inside a loop runs with its loop: run from the loop instead." };
  }
  const executed = rerunNodes(definition, nodeId);
  // A loop that is pinned whole needs nothing of its body.
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

/** Null for what gave nothing, or more than can be sent back. */
export function pinOf(result: TestState["results"][string] | undefined): Pin | null {
  if (result === undefined || result.step.status !== "completed" || result.step.truncated) return null;
  return { value: result.step.output, fromRunId: result.runId };
}

/** Pins of nodes that still exist, as the operation takes them. */
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
