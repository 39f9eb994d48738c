import type { Definition, GraphEdge, GraphNode } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { branchesOf } from "@/components/canvas/document/branches-of";
import { framesOf, ROOT } from "@/components/canvas/document/frames";

function readsBefore(a: GraphNode, b: GraphNode): boolean {
  const entryFirst = Number(STEP_KINDS[a.type].hasInput) - Number(STEP_KINDS[b.type].hasInput);
  const byPlace = a.position.y - b.position.y || a.position.x - b.position.x;
  return (entryFirst || byPlace || a.id.localeCompare(b.id)) < 0;
}

/**
 * Returns the node ids in reading order: a node comes after all its predecessors; among equals, the higher node comes
 * first, then the one further left. A loop comes before its body, and the body before the steps after the loop. Nodes
 * on a cycle, which a draft from elsewhere may contain, come last.
 */
export function orderSteps(definition: Definition): string[] {
  const { bodyOf } = framesOf(definition);
  const order = (frame: string): string[] =>
    orderFrame(bodyOf.get(frame) ?? [], definition.edges).flatMap((id) =>
      bodyOf.has(id) && id !== frame ? [id, ...order(id)] : [id],
    );
  return order(ROOT);
}

/**
 * Returns true when `orderSteps` must give the same result for both: the same lines, and nodes that differ only in
 * their data.
 */
export function isSameOrder(before: Definition, { nodes, edges }: Definition): boolean {
  if (before.edges !== edges || before.nodes.length !== nodes.length) return false;
  return nodes.every((node, at) => {
    const former = before.nodes[at];
    if (node === former) return true;
    const isSamePlace = node.position === former?.position && node.parentId === former.parentId;
    return isSamePlace && node.id === former?.id && node.type === former.type;
  });
}

function orderFrame(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): string[] {
  const waiting = new Map(nodes.map((node) => [node.id, node]));
  const undecided = new Map(nodes.map((node) => [node.id, 0]));
  const known = edges.filter((edge) => waiting.has(edge.source) && waiting.has(edge.target));
  for (const edge of known) undecided.set(edge.target, (undecided.get(edge.target) ?? 0) + 1);
  const order: string[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter((node) => undecided.get(node.id) === 0);
    const pool = ready.length > 0 ? ready : [...waiting.values()];
    const first = pool.reduce((best, node) => (readsBefore(node, best) ? node : best));
    order.push(first.id);
    waiting.delete(first.id);
    for (const edge of known) {
      if (edge.source === first.id) undecided.set(edge.target, (undecided.get(edge.target) ?? 0) - 1);
    }
  }
  return order;
}

/** Returns the edges that leave `nodeId`, first port first. */
export function outgoingInPortOrder(definition: Definition, nodeId: string): GraphEdge[] {
  const node = definition.nodes.find((candidate) => candidate.id === nodeId);
  if (node === undefined) return [];
  const handles = branchesOf(node, definition.edges).map((output) => output.handle);
  return definition.edges
    .filter((edge) => edge.source === nodeId)
    .sort((a, b) => handles.indexOf(a.sourceHandle ?? null) - handles.indexOf(b.sourceHandle ?? null));
}

/** Returns true when a path of edges leads from `from` to `to`, or when they are the same node. */
export function reaches(edges: readonly GraphEdge[], from: string, to: string): boolean {
  const seen = new Set<string>();
  const stack = [from];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    for (const edge of edges) if (edge.source === id) stack.push(edge.target);
  }
  return false;
}

/** Returns `nodeId` and all nodes after it. */
export function downstreamOf(edges: readonly GraphEdge[], nodeId: string): Set<string> {
  const seen = new Set<string>();
  const stack = [nodeId];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    for (const edge of edges) if (edge.source === id) stack.push(edge.target);
  }
  return seen;
}
