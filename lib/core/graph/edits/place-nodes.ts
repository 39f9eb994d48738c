import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { type GraphIndex, indexGraph } from "#lib/core/graph/edges";

type Point = GraphNode["position"];

/** Slightly more than the size of a card on the canvas and the gap next to it. */
const COLUMN = 320;
const RANK = 180;
/** Positions inside a loop are relative to the loop's corner. */
const BODY_CORNER: Point = { x: 20, y: 40 };
const CORNER: Point = { x: 0, y: 0 };

/**
 * Assigns a position to every node that lies exactly on top of another one: clients that write definitions without
 * seeing them leave positions out. Such a node is placed below its sources; nodes with their own position keep it.
 */
export function placeNodes(definition: Definition): Definition {
  const stacked = findStacked(definition.nodes);
  if (stacked.size === 0) return definition;
  const index = indexGraph(definition);
  const places = new Map(definition.nodes.filter((node) => !stacked.has(node)).map((node) => [node, node.position]));
  for (const node of orderByEdges(index, stacked)) places.set(node, findPlace(index, places, node));
  const nodes = definition.nodes.map((node) => ({ ...node, position: places.get(node) ?? node.position }));
  return { ...definition, nodes };
}

/**
 * The first of several nodes at one position may keep it, unless all nodes of the frame are at that position: then no
 * one chose it.
 */
function findStacked(nodes: readonly GraphNode[]): Set<GraphNode> {
  const frames = Map.groupBy(nodes, ({ parentId }) => parentId);
  const stacked = [...frames.values()].flatMap((frame) => {
    const spots = [...Map.groupBy(frame, ({ position: { x, y } }) => `${x},${y}`).values()];
    return spots.flatMap((spot) => (spots.length === 1 && spot.length > 1 ? spot : spot.slice(1)));
  });
  return new Set(stacked);
}

/** Orders nodes so that each one comes after its sources. Nodes on a cycle come last, in the definition's order. */
function orderByEdges(index: GraphIndex, nodes: ReadonlySet<GraphNode>): Set<GraphNode> {
  const ordered = new Set<GraphNode>();
  const waits = (node: GraphNode) => predecessors(index, node).some((other) => nodes.has(other) && !ordered.has(other));
  for (let found = -1; found < ordered.size; ) {
    found = ordered.size;
    for (const node of nodes) if (!ordered.has(node) && !waits(node)) ordered.add(node);
  }
  for (const node of nodes) ordered.add(node);
  return ordered;
}

function predecessors(index: GraphIndex, node: GraphNode): GraphNode[] {
  return (index.incoming.get(node.id) ?? []).flatMap(({ source }) => index.nodes.get(source) ?? []);
}

function findPlace(index: GraphIndex, places: ReadonlyMap<GraphNode, Point>, node: GraphNode): Point {
  const above = predecessors(index, node).flatMap((other) => {
    const place = places.get(other);
    return place ? [{ x: place.x, y: place.y + RANK * (1 + bodySize(index, other)) }] : [];
  });
  const corner = node.parentId === undefined ? CORNER : BODY_CORNER;
  const y = above.length > 0 ? Math.max(...above.map((place) => place.y)) : corner.y;
  let x = above[0]?.x ?? corner.x;
  const taken = [...places].filter(([other]) => other.parentId === node.parentId).map(([, place]) => place);
  while (taken.some((place) => Math.abs(place.x - x) < COLUMN && Math.abs(place.y - y) < RANK)) x += COLUMN;
  return { x, y };
}

/** Estimates the height of a loop as the maximum height of its body. */
function bodySize(index: GraphIndex, loop: GraphNode): number {
  return index.definition.nodes.filter((node) => node.parentId === loop.id).length;
}
