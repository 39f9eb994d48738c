import type { Definition, GraphNode } from "#lib/contract/graph";
import type { DONE_EVENT_KINDS } from "#lib/contract/journal";
import { isTaken, type Settled } from "#lib/core/engine/choose-path";
import type { StepKind } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/** How a step ended: one entry for each different end that it had in a loop. */
export interface StepEnd {
  nodeId: string;
  kind: (typeof DONE_EVENT_KINDS)[number];
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
  const kinds = new Map(definition.nodes.map((node) => [node.id, kindOf(node)]));
  const outgoing = Map.groupBy(definition.edges, (edge) => edge.source);
  const taken = new Set<string>();
  for (const end of ends) {
    const kind = kinds.get(end.nodeId);
    const settled = settledOf(end, kind);
    for (const edge of outgoing.get(end.nodeId) ?? []) {
      if (isTaken({ ...edge, sourceHandle: edge.sourceHandle ?? kind?.namelessHandle }, settled)) taken.add(edge.id);
    }
  }
  return [...taken];
}

function settledOf({ kind: ended, output }: StepEnd, kind: StepKind | undefined): Settled {
  if (ended === "step_skipped") return { kind: "skipped" };
  const handle = ended === "step_completed" && output !== null ? (kind?.chosenHandle?.(output) ?? null) : null;
  return { kind: "passed", output, handle };
}
