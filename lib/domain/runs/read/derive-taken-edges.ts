import type { Definition, GraphNode } from "#lib/contract/graph";
import type { EventKind } from "#lib/contract/journal";
import { isTaken, type Settled } from "#lib/core/engine/choose-path";
import type { PreparedNode, PreparedWait } from "#lib/core/engine/plan";
import { prepareApproval } from "#lib/core/steps/approval/approval";
import { prepareCondition } from "#lib/core/steps/condition/condition";
import { prepareSwitch } from "#lib/core/steps/switch/switch";

/** How a step ended, once for each different end that it had in a loop. */
export interface StepEnd {
  nodeId: string;
  kind: Extract<EventKind, "step_completed" | "step_skipped" | "step_failed_continued">;
  /** Only of nodes that choose a way. */
  output: unknown;
}

type Chooser = Pick<PreparedNode | PreparedWait, "chosenHandle" | "namelessHandle">;

/** Those of the definition's nodes that choose by which of their edges a run goes on. */
export function listChoosers(definition: Definition): Map<string, Chooser> {
  return new Map(definition.nodes.flatMap((node) => chooserOf(node)?.map((chooser) => [node.id, chooser]) ?? []));
}

function chooserOf(node: GraphNode): [Chooser] | null {
  try {
    if (node.type === "condition") return [prepareCondition(node)];
    if (node.type === "switch") return [prepareSwitch(node)];
    return node.type === "approval" ? [prepareApproval(node)] : null;
  } catch {
    // A draft was tested whose node is not filled in: the run ended there and chose nothing.
    return null;
  }
}

/** Ids of the edges that a run went along, by the rule that the engine follows. */
export function deriveTakenEdges(
  definition: Definition,
  choosers: ReadonlyMap<string, Chooser>,
  ends: readonly StepEnd[],
): string[] {
  const outgoing = Map.groupBy(definition.edges, (edge) => edge.source);
  const taken = new Set<string>();
  for (const { nodeId, kind, output } of ends) {
    const chooser = choosers.get(nodeId);
    const settled = settledOf(kind, output, chooser);
    for (const edge of outgoing.get(nodeId) ?? []) {
      const named = { ...edge, sourceHandle: edge.sourceHandle ?? chooser?.namelessHandle };
      if (isTaken(named as typeof edge, settled)) taken.add(edge.id);
    }
  }
  return [...taken];
}

function settledOf(kind: StepEnd["kind"], output: unknown, chooser: Chooser | undefined): Settled {
  if (kind === "step_skipped") return { kind: "skipped" };
  const handle = kind === "step_completed" && output !== null ? (chooser?.chosenHandle?.(output) ?? null) : null;
  return { kind: "passed", output, handle };
}
