import type { Definition, GraphEdge, GraphNode, NodeType } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { branchesOf, isEnd } from "@/components/canvas/document/branches-of";
import { framesOf, ROOT } from "@/components/canvas/document/frames";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";
import { orderSteps, outgoingInPortOrder } from "@/components/canvas/document/step-order";

/**
 * Returns where a step continues the flow: on the line that ends in the only Return Output, else after the last step of
 * the main path, which leads from the start through the first branches. A step that ends a run goes to a branch that leads
 * nowhere. Null while there is no flow.
 */
export function continueFlow(definition: Definition, type?: NodeType): InsertSpot | null {
  const nodes = nodesInOrder(definition);
  const first = nodes.find((node) => !isEnd(node));
  if (first === undefined) return null;
  const path = mainPath(definition, first);
  const ends = nodes.filter(isEnd);
  const arriving = definition.edges.filter(({ target }) => ends.length === 1 && target === ends[0]?.id);
  const [line] = [...path.filter((edge) => arriving.includes(edge)), ...arriving];
  const last = nodes.find(({ id }) => id === path.at(-1)?.target) ?? first;
  const spot: InsertSpot | null =
    line === undefined ? spotAfter(definition, last, path) : { kind: "edge", edgeId: line.id };
  const isLast = type !== undefined && STEP_KINDS[type].branches({}).length === 0;
  if (!isLast || spot?.kind === "after") return spot;
  const open = nodes.find((node) => openBranch(definition, node) !== undefined);
  return open === undefined ? spot : spotAfter(definition, open);
}

/** Returns the step that a new start leads to: the first one that nothing leads to. */
export function firstStep(definition: Definition): GraphNode | null {
  const reached = new Set(definition.edges.map(({ target }) => target));
  return nodesInOrder(definition).find(({ id }) => !reached.has(id)) ?? null;
}

/**
 * Returns where a step after this one goes: to its first branch that leads nowhere, else into its first line, or into the
 * line that leads to a step that ends the run.
 */
export function spotAfter(
  definition: Definition,
  node: GraphNode,
  arriving: readonly GraphEdge[] = definition.edges,
): InsertSpot | null {
  const open = openBranch(definition, node);
  if (open !== undefined) return { kind: "after", source: node.id, sourceHandle: open };
  const line = outgoingInPortOrder(definition, node.id)[0] ?? arriving.findLast(({ target }) => target === node.id);
  return line === undefined ? null : { kind: "edge", edgeId: line.id };
}

function nodesInOrder(definition: Definition): GraphNode[] {
  const body = new Map(
    framesOf(definition)
      .bodyOf.get(ROOT)
      ?.map((node) => [node.id, node]),
  );
  return orderSteps(definition).flatMap((id) => body.get(id) ?? []);
}

/** Follows the first branch that leads somewhere; a failure is no part of the main path. */
function mainPath(definition: Definition, first: GraphNode): GraphEdge[] {
  const nodes = new Map(definition.nodes.map((node) => [node.id, node]));
  const path: GraphEdge[] = [];
  const seen = new Set<string>();
  for (let node: GraphNode | undefined = first; node !== undefined && !seen.has(node.id); ) {
    seen.add(node.id);
    const failures = failureHandles(definition, node);
    const leaving = outgoingInPortOrder(definition, node.id);
    const next: GraphEdge | undefined = leaving.find(({ sourceHandle = null }) => !failures.has(sourceHandle));
    if (next !== undefined) path.push(next);
    node = nodes.get(next?.target ?? "");
  }
  return path;
}

function failureHandles({ edges }: Definition, node: GraphNode): ReadonlySet<string | null> {
  return new Set(branchesOf(node, edges).flatMap(({ handle, isFailure }) => (isFailure ? [handle] : [])));
}

function openBranch({ edges }: Definition, node: GraphNode): string | null | undefined {
  const isUsed = (handle: string | null) =>
    edges.some((edge) => edge.source === node.id && (edge.sourceHandle ?? null) === handle);
  return branchesOf(node, edges).find(({ handle, isFailure }) => isFailure !== true && !isUsed(handle))?.handle;
}
