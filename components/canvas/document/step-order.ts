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
 * Returns the node ids in the order of the flow: a node comes after all its predecessors, and a branch with everything
 * that only it leads to before the next branch. What the start does not lead to comes last, higher nodes first, then
 * those further left. A loop comes before its body, and the body before the steps after the loop.
 */
export function orderSteps(definition: Definition): string[] {
  const { bodyOf } = framesOf(definition);
  const order = (frame: string): string[] =>
    orderFrame(definition, bodyOf.get(frame) ?? []).flatMap((id) =>
      bodyOf.has(id) && id !== frame ? [id, ...order(id)] : [id],
    );
  return order(ROOT);
}

/**
 * Returns true when `orderSteps` must give the same result for both: the same lines, and nodes that differ only in data
 * that orders no branches.
 */
export function isSameOrder(before: Definition, { nodes, edges }: Definition): boolean {
  if (before.edges !== edges || before.nodes.length !== nodes.length) return false;
  return nodes.every((node, at) => {
    const former = before.nodes[at];
    if (node === former) return true;
    return former !== undefined && node.position === former.position && hasSameBranches(former, node);
  });
}

/** Returns true when both are the same node in the same frame, with the same branches in the same order. */
export function hasSameBranches(before: GraphNode, { id, type, parentId, data }: GraphNode): boolean {
  if (id !== before.id || type !== before.type || parentId !== before.parentId) return false;
  const { branches } = STEP_KINDS[type];
  const handlesOf = (now: GraphNode["data"]) => branches(now).map(({ handle }) => handle);
  return data === before.data || handlesOf(data).join() === handlesOf(before.data).join();
}

function orderFrame(definition: Definition, body: readonly GraphNode[]): string[] {
  const nodes = body.toSorted((a, b) => (readsBefore(a, b) ? -1 : 1));
  const places = new Map(nodes.map(({ id }, place) => [id, place]));
  // Lines of one port are in the order of their targets.
  const targetsOf = (id: string) =>
    outgoingInPortOrder(definition, id, (a, b) => (places.get(a.target) ?? 0) - (places.get(b.target) ?? 0)).flatMap(
      ({ target }) => (places.has(target) ? [target] : []),
    );
  return sortAlong(new Map(nodes.map(({ id }) => [id, targetsOf(id)])));
}

/**
 * Returns the ids in reverse postorder: each follows its predecessors, the first targets first. Edges of a cycle, which a
 * draft from elsewhere may contain, that lead back are last.
 * @param targetsOf the targets of each id, in order
 */
export function sortAlong(targetsOf: ReadonlyMap<string, readonly string[]>): string[] {
  const reached = new Set([...targetsOf.values()].flat());
  const ids = [...targetsOf.keys()];
  const seen = new Set<string>();
  const finished: string[] = [];
  const visit = (id: string) => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const target of (targetsOf.get(id) ?? []).toReversed()) visit(target);
    finished.push(id);
  };
  for (const id of ids.toReversed()) if (!reached.has(id)) visit(id);
  for (const id of ids) visit(id);
  return finished.reverse();
}

/** Returns the edges that leave `nodeId`, first port first. */
export function outgoingInPortOrder(
  definition: Definition,
  nodeId: string,
  inOnePort: (a: GraphEdge, b: GraphEdge) => number = () => 0,
): GraphEdge[] {
  const node = definition.nodes.find((candidate) => candidate.id === nodeId);
  if (node === undefined) return [];
  const handles = branchesOf(node, definition.edges).map((output) => output.handle);
  return definition.edges
    .filter((edge) => edge.source === nodeId)
    .sort(
      (a, b) => handles.indexOf(a.sourceHandle ?? null) - handles.indexOf(b.sourceHandle ?? null) || inOnePort(a, b),
    );
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
