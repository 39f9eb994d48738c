import type { Definition, GraphNode, NodeType } from "#lib/contract/graph";
import { LIMITS } from "#lib/contract/limits";
import {
  CARD_WIDTH,
  FULL_CARD_HEIGHT,
  NODE_GAP,
  RANK_GAP,
  type Sizes,
  snapToGrid,
} from "@/components/canvas/dimensions";
import { connectNodes } from "@/components/canvas/document/connect-nodes";
import { nextFreeId } from "@/components/canvas/document/node-ids";
import { NODE_KINDS, ownOutputs } from "@/components/canvas/document/node-kinds";
import { nodeSize } from "@/components/canvas/document/node-size";
import { downstreamOf } from "@/components/canvas/document/step-order";

interface Point {
  x: number;
  y: number;
}

/** Where a new node goes: somewhere free, after an output (at a point, when one was chosen), or into an edge. */
export type InsertSpot =
  | { kind: "free"; position: Point }
  | { kind: "after"; source: string; sourceHandle: string | null; position?: Point }
  | { kind: "edge"; edgeId: string };

export interface Insertion {
  definition: Definition;
  nodeId: string;
}

/** Why a node of this type cannot be added now; null when it can. `spot` null asks in general. */
export function insertRefusal(definition: Definition, type: NodeType, spot: InsertSpot | null): string | null {
  const kind = NODE_KINDS[type];
  const count = definition.nodes.filter((node) => node.type === type).length;
  if (kind.max !== undefined && count >= kind.max) return "Already in this workflow";
  if (definition.nodes.length >= LIMITS.graphNodes) return `${LIMITS.graphNodes} steps at most`;
  if (spot !== null && spot.kind !== "free" && !kind.hasInput) return "Only at the start";
  if (spot?.kind === "edge" && kind.outputs.length === 0) return "Only at the end";
  return null;
}

/** A node of this type with its defaults, a free readable id and a name that tells it from its siblings. */
export function createNode(definition: Definition, type: NodeType, position: Point): GraphNode {
  const kind = NODE_KINDS[type];
  const id = nextFreeId(kind.baseId, new Set(definition.nodes.map((node) => node.id)));
  const suffix = id.slice(kind.baseId.length).replace("_", " ");
  return { id, type, position: snapPoint(position), data: { name: `${kind.label}${suffix}`, ...kind.createData() } };
}

/** The definition with a new node at the spot, connected as the spot says. Nothing else is laid out anew. */
export function insertNode(definition: Definition, type: NodeType, spot: InsertSpot, sizes: Sizes): Insertion {
  if (spot.kind === "free") return addFree(definition, type, spot.position, sizes);
  if (spot.kind === "after") return addAfter(definition, type, spot, sizes);
  return splitEdge(definition, type, spot.edgeId, sizes);
}

function addFree(definition: Definition, type: NodeType, position: Point, sizes: Sizes): Insertion {
  const draft = createNode(definition, type, position);
  const node = { ...draft, position: findRoom(definition, draft, sizes) };
  return { definition: { ...definition, nodes: [...definition.nodes, node] }, nodeId: node.id };
}

function addAfter(
  definition: Definition,
  type: NodeType,
  spot: Extract<InsertSpot, { kind: "after" }>,
  sizes: Sizes,
): Insertion {
  const wanted = spot.position ?? positionAfter(definition, spot.source, spot.sourceHandle, sizes);
  const { definition: grown, nodeId } = addFree(definition, type, wanted, sizes);
  const { source, sourceHandle } = spot;
  return { definition: connectNodes(grown, { source, sourceHandle, target: nodeId }), nodeId };
}

/**
 * The new node takes the edge's place: the old target, and what follows it, moves down to make room. The way on leaves
 * by the new node's first output, so a condition goes on under Yes.
 */
function splitEdge(definition: Definition, type: NodeType, edgeId: string, sizes: Sizes): Insertion {
  const edge = definition.edges.find((candidate) => candidate.id === edgeId);
  const source = definition.nodes.find((node) => node.id === edge?.source);
  const target = definition.nodes.find((node) => node.id === edge?.target);
  if (edge === undefined || source === undefined || target === undefined) {
    return addFree(definition, type, { x: 0, y: 0 }, sizes);
  }
  const top = source.position.y + roomFor(source, sizes) + RANK_GAP;
  const node = createNode(definition, type, { x: target.position.x, y: top });
  const needed = snapPoint({ x: 0, y: node.position.y + FULL_CARD_HEIGHT + RANK_GAP }).y;
  const shift = Math.max(0, needed - target.position.y);
  const moved = downstreamOf(definition.edges, target.id);
  const nodes = definition.nodes.map((other) =>
    shift > 0 && moved.has(other.id)
      ? { ...other, position: { x: other.position.x, y: other.position.y + shift } }
      : other,
  );
  const cut = { nodes: [...nodes, node], edges: definition.edges.filter((other) => other.id !== edge.id) };
  const into = connectNodes(cut, { source: edge.source, sourceHandle: edge.sourceHandle, target: node.id });
  const handle = ownOutputs(node)[0]?.handle ?? null;
  return {
    definition: connectNodes(into, { source: node.id, sourceHandle: handle, target: edge.target }),
    nodeId: node.id,
  };
}

/** Below the source; under its own port where the source has several ways out. */
function positionAfter(definition: Definition, sourceId: string, handle: string | null, sizes: Sizes): Point {
  const source = definition.nodes.find((node) => node.id === sourceId);
  if (source === undefined) return { x: 0, y: 0 };
  const outputs = ownOutputs(source);
  const index = outputs.findIndex((output) => output.handle === handle);
  const fan = outputs.length < 2 ? 0 : (index - (outputs.length - 1) / 2) * (CARD_WIDTH + NODE_GAP);
  return {
    x: source.position.x + fan,
    y: source.position.y + roomFor(source, sizes) + RANK_GAP + (outputs.length > 1 ? NODE_GAP : 0),
  };
}

/** The wanted place, or the nearest free one to its right. */
function findRoom(definition: Definition, added: GraphNode, sizes: Sizes): Point {
  const place = added.position;
  const overlaps = (x: number) =>
    definition.nodes.some((node) => {
      const size = nodeSize(node, sizes);
      const isApart =
        node.position.x + size.width + GAP_MIN <= x ||
        x + CARD_WIDTH + GAP_MIN <= node.position.x ||
        node.position.y + size.height + GAP_MIN <= place.y ||
        place.y + FULL_CARD_HEIGHT + GAP_MIN <= node.position.y;
      return !isApart;
    });
  let x = place.x;
  while (overlaps(x)) x += CARD_WIDTH + NODE_GAP;
  return { x, y: place.y };
}

const GAP_MIN = 10;

function roomFor(node: GraphNode, sizes: Sizes): number {
  return Math.max(FULL_CARD_HEIGHT, nodeSize(node, sizes).height);
}

function snapPoint(point: Point): Point {
  return { x: snapToGrid(point.x), y: snapToGrid(point.y) };
}
