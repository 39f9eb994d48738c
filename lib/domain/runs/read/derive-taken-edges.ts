import type { DONE_EVENT_KINDS } from "#lib/contract/run/journal";
import type { Definition, GraphEdge, GraphNode } from "#lib/contract/workflow/graph";
import { FAILED_HANDLE, isTaken, type Settled } from "#lib/core/engine/choose-path";
import type { StepKind } from "#lib/core/steps/define-step-kind";
import { bypassHandle } from "#lib/core/steps/is-disabled";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/** How a step ended: one entry for each different end that it had in a loop. */
export interface StepEnd {
  nodeId: string;
  kind: (typeof DONE_EVENT_KINDS)[number];
  /** True if the run reached the step and passed it by. */
  isBypassed: boolean;
  /** Only for nodes that choose a branch. */
  output: unknown;
}

/** Returns the ids of the definition's nodes that choose the edges by which a run continues. */
export function listChoosers(definition: Definition): string[] {
  return definition.nodes.filter((node) => kindOf(node).chosenHandle !== undefined).map((node) => node.id);
}

function kindOf(node: GraphNode): StepKind {
  return STEP_KINDS[node.type];
}

/** Returns the ids of the edges that a run took, by the rule that the engine follows. */
export function deriveTakenEdges(definition: Definition, ends: readonly StepEnd[]): string[] {
  const nodes = new Map(definition.nodes.map((node) => [node.id, node]));
  const outgoing = Map.groupBy(definition.edges, (edge) => edge.source);
  const taken = new Set<string>();
  for (const end of ends) {
    const node = nodes.get(end.nodeId);
    const kind = node && kindOf(node);
    const edges = outgoing.get(end.nodeId) ?? [];
    const settled: Settled =
      node && end.isBypassed ? { kind: "bypassed", handle: bypassHandle(node) } : settledOf(end, kind, edges);
    for (const edge of edges) {
      if (isTaken({ sourceHandle: edge.sourceHandle ?? kind?.namelessHandle }, settled)) taken.add(edge.id);
    }
  }
  return [...taken];
}

function settledOf({ kind: ended, output }: StepEnd, kind: StepKind | undefined, edges: readonly GraphEdge[]): Settled {
  if (ended === "step_skipped") return { kind: "skipped" };
  if (ended === "step_failed_continued") {
    return {
      kind: "failed",
      error: null,
      takesFailedBranch: edges.some((edge) => edge.sourceHandle === FAILED_HANDLE),
    };
  }
  return { kind: "passed", output, handle: output === null ? null : (kind?.chosenHandle?.(output) ?? null) };
}
