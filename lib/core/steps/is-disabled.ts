import type { Definition, GraphEdge, GraphNode } from "#lib/contract/workflow/graph";
import type { StepKind } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/** Returns true if runs pass a step by (decisions, The graph document). */
export function isDisabled({ type, data }: Pick<GraphNode, "type" | "data">): boolean {
  return data.disabled === true && STEP_KINDS[type].canDisable;
}

/** Returns the branch on which a run passes a disabled step by: the first one. */
export function bypassHandle({ type, data }: Pick<GraphNode, "type" | "data">): string | null {
  const kind: StepKind = STEP_KINDS[type];
  return kind.branches(data)[0]?.handle ?? null;
}

/** Returns true if a run takes an edge of a disabled step. */
export function isBypass(source: GraphNode, { sourceHandle }: Pick<GraphEdge, "sourceHandle">): boolean {
  const handle = sourceHandle ?? STEP_KINDS[source.type].namelessHandle ?? null;
  return handle === null || handle === bypassHandle(source);
}

/** Lists the steps that no run executes: those that are disabled, and everything inside a disabled loop. */
export function listBypassed(nodes: readonly GraphNode[]): Set<string> {
  const bypassed = new Set(nodes.filter(isDisabled).map(({ id }) => id));
  if (bypassed.size === 0) return bypassed;
  const bodies = Map.groupBy(nodes, ({ parentId }) => parentId);
  // Iterating a Set includes entries added during the iteration.
  for (const id of bypassed) for (const { id: inner } of bodies.get(id) ?? []) bypassed.add(inner);
  return bypassed;
}

/** The body of a disabled loop never runs, so it does not have to be complete. */
export function withoutBypassedBodies(definition: Definition): Definition {
  const bypassed = listBypassed(definition.nodes);
  if (bypassed.size === 0) return definition;
  const nodes = definition.nodes.filter(({ parentId }) => parentId === undefined || !bypassed.has(parentId));
  const kept = new Set(nodes.map(({ id }) => id));
  return { nodes, edges: definition.edges.filter(({ source, target }) => kept.has(source) || kept.has(target)) };
}
