import type { Definition, GraphNode, NodeType } from "#lib/contract/graph";
import { LIMITS } from "#lib/contract/limits";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { formatCount } from "#lib/support/format/format-number";
import { connectNodes } from "@/components/canvas/document/connect-nodes";
import { FRAME_PADDING, FRAME_TOP, type Point, RANK_GAP, type Sizes } from "@/components/canvas/document/dimensions";
import { frameOfNode, originOf, ROOT } from "@/components/canvas/document/frames";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";
import { nextFreeId } from "@/components/canvas/document/node-ids";
import { downstreamOf } from "@/components/canvas/document/step-order";
import { findRoom, newNodeSize, parentIn, placeBelow, roomFor, snapPoint } from "@/components/canvas/layout/find-room";
import { fitFrames, makeRoom } from "@/components/canvas/layout/fit-frames";
import { nodeSize } from "@/components/canvas/layout/node-size";

export interface Insertion {
  definition: Definition;
  nodeId: string;
}

/**
 * Returns why a node of this type can't be added now, or null when it can. A null `spot` asks about the workflow as a
 * whole.
 */
export function insertRefusal(definition: Definition, type: NodeType, spot: InsertSpot | null): string | null {
  const kind = STEP_KINDS[type];
  const count = definition.nodes.filter((node) => node.type === type).length;
  if (kind.max !== null && count >= kind.max) return "Already in this workflow";
  const isStarted = definition.nodes.some((node) => !STEP_KINDS[node.type].hasInput);
  if (!kind.hasInput && isStarted) return "This workflow already has a start step";
  if (definition.nodes.length >= LIMITS.graphNodes)
    return `A workflow can have up to ${formatCount(LIMITS.graphNodes, "step")}`;
  if (spot === null) return null;
  if (spot.kind !== "free" && !kind.hasInput) return "Only at the start";
  if (!kind.fitsInLoop && frameOfSpot(definition, spot) !== ROOT) return "Only outside loops";
  if (spot.kind === "edge" && kind.branches({}).length === 0) return "Only at the end";
  return null;
}

function frameOfSpot(definition: Definition, spot: InsertSpot): string {
  if (spot.kind === "free") return ROOT;
  if (spot.kind === "inside") return spot.loopId;
  if (spot.kind === "after") return frameOfNode(definition, spot.source);
  const edge = definition.edges.find((candidate) => candidate.id === spot.edgeId);
  return edge === undefined ? ROOT : frameOfNode(definition, edge.source);
}

/**
 * Creates a node of this type with its defaults, a free readable id, and a name that distinguishes it from similar
 * steps.
 */
export function createNode(definition: Definition, type: NodeType, position: Point, frame: string = ROOT): GraphNode {
  const kind = STEP_KINDS[type];
  const id = nextFreeId(kind.baseId, new Set(definition.nodes.map((node) => node.id)));
  const suffix = id.slice(kind.baseId.length).replace("_", " ");
  const data = { name: `${kind.title}${suffix}`, ...kind.newData() };
  return { id, type, position: snapPoint(position), ...parentIn(frame), data };
}

/**
 * Returns the definition with a new node at the spot, connected as the spot requires. Other nodes keep their layout.
 */
export function insertNode(definition: Definition, type: NodeType, spot: InsertSpot, sizes: Sizes): Insertion {
  const { definition: grown, nodeId } = insertAtSpot(definition, type, spot, sizes);
  return { definition: makeRoom(definition, fitFrames(grown), sizes), nodeId };
}

function insertAtSpot(definition: Definition, type: NodeType, spot: InsertSpot, sizes: Sizes): Insertion {
  if (spot.kind === "free") return addFree(definition, type, { at: spot.position, frame: ROOT }, sizes);
  if (spot.kind === "inside") {
    return addFree(definition, type, { at: { x: FRAME_PADDING, y: FRAME_TOP }, frame: spot.loopId }, sizes);
  }
  if (spot.kind === "after") return addAfter(definition, type, spot, sizes);
  return splitEdge(definition, type, spot.edgeId, sizes);
}

/** @param place in the frame's own coordinates */
function addFree(definition: Definition, type: NodeType, place: { at: Point; frame: string }, sizes: Sizes): Insertion {
  const { at, frame } = place;
  const room = findRoom(definition, at, { frame, size: newNodeSize(type) }, sizes);
  const node = createNode(definition, type, room, frame);
  return { definition: { ...definition, nodes: [...definition.nodes, node] }, nodeId: node.id };
}

function addAfter(
  definition: Definition,
  type: NodeType,
  spot: Extract<InsertSpot, { kind: "after" }>,
  sizes: Sizes,
): Insertion {
  const { source: sourceId, sourceHandle, position } = spot;
  const frame = frameOfNode(definition, sourceId);
  const source = definition.nodes.find((node) => node.id === sourceId);
  const origin = originOf(definition, frame);
  const below = { handle: sourceHandle, width: newNodeSize(type).width };
  const at =
    position !== undefined
      ? { x: position.x - origin.x, y: position.y - origin.y }
      : source === undefined
        ? { x: 0, y: 0 }
        : placeBelow(definition, source, below, sizes);
  const { definition: grown, nodeId } = addFree(definition, type, { at, frame }, sizes);
  return { definition: connectNodes(grown, { source: sourceId, sourceHandle, target: nodeId }), nodeId };
}

/**
 * Inserts the new node into the edge: the old target and the steps after it move down to make room. The new node
 * continues through its first branch, so a condition continues on its True branch.
 */
function splitEdge(definition: Definition, type: NodeType, edgeId: string, sizes: Sizes): Insertion {
  const edge = definition.edges.find((candidate) => candidate.id === edgeId);
  const source = definition.nodes.find((node) => node.id === edge?.source);
  const target = definition.nodes.find((node) => node.id === edge?.target);
  if (edge === undefined || source === undefined || target === undefined) {
    return addFree(definition, type, { at: { x: 0, y: 0 }, frame: ROOT }, sizes);
  }
  const size = newNodeSize(type);
  const left = target.position.x + (nodeSize(definition, target, sizes).width - size.width) / 2;
  const top = source.position.y + roomFor(definition, source, sizes) + RANK_GAP;
  const node = createNode(definition, type, { x: left, y: top }, frameOfNode(definition, source.id));
  const needed = snapPoint({ x: 0, y: node.position.y + size.height + RANK_GAP }).y;
  const shift = Math.max(0, needed - target.position.y);
  const moved = downstreamOf(definition.edges, target.id);
  const nodes = definition.nodes.map((other) =>
    shift > 0 && moved.has(other.id)
      ? { ...other, position: { x: other.position.x, y: other.position.y + shift } }
      : other,
  );
  const cut = { nodes: [...nodes, node], edges: definition.edges.filter((other) => other.id !== edge.id) };
  const into = connectNodes(cut, { source: edge.source, sourceHandle: edge.sourceHandle, target: node.id });
  const handle = STEP_KINDS[node.type].branches(node.data)[0]?.handle ?? null;
  return {
    definition: connectNodes(into, { source: node.id, sourceHandle: handle, target: edge.target }),
    nodeId: node.id,
  };
}
