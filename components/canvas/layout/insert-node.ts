import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition, GraphNode, NodeType } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { formatCount } from "#lib/support/format/format-number";
import { nextFreeName } from "#lib/support/format/next-free-name";
import { connectNodes } from "@/components/canvas/document/connect-nodes";
import { continueFlow, firstStep } from "@/components/canvas/document/continue-flow";
import { FRAME_PADDING, FRAME_TOP, type Point, RANK_GAP, type Sizes } from "@/components/canvas/document/dimensions";
import { frameOfNode, originOf, ROOT } from "@/components/canvas/document/frames";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";
import { idFromName } from "@/components/canvas/document/node-ids";
import { downstreamOf } from "@/components/canvas/document/step-order";
import {
  findRoom,
  gapAfter,
  newNodeSize,
  parentIn,
  placeAfter,
  roomAlong,
  snapPoint,
} from "@/components/canvas/layout/find-room";
import { fitFrames, makeRoom } from "@/components/canvas/layout/fit-frames";
import type { DrawingView } from "@/components/canvas/layout/frame-lines";
import { nodeSize } from "@/components/canvas/layout/node-size";
import { turnPoint, turnSize } from "@/components/canvas/lines/orientation";

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
  const place = spot?.kind === "flow" && kind.hasInput ? continueFlow(definition, type) : spot;
  if (place === null || place.kind === "free" || place.kind === "flow") return null;
  if (!kind.hasInput) return "Only at the start";
  if (!kind.fitsInLoop && frameOfSpot(definition, place) !== ROOT) return "Only outside loops";
  if (place.kind === "edge" && kind.branches({}).length === 0) return "Only at the end";
  return null;
}

function frameOfSpot(definition: Definition, spot: InsertSpot): string {
  if (spot.kind === "free" || spot.kind === "flow") return ROOT;
  if (spot.kind === "inside") return spot.loopId;
  if (spot.kind === "after") return frameOfNode(definition, spot.source);
  const edge = definition.edges.find((candidate) => candidate.id === spot.edgeId);
  return edge === undefined ? ROOT : frameOfNode(definition, edge.source);
}

/** A step to add: an empty one of a kind, or one that is already set up. */
export interface NewStep {
  type: NodeType;
  /** Defaults to the title of the kind. */
  name?: string;
  /** Defaults to an id that follows the name. If it is taken, a number is added. */
  baseId?: string;
  /** Defaults to the data of a new step of the kind. */
  data?: JsonObject;
}

/** Creates the node with a free readable id, and a name that distinguishes it from similar steps. */
export function createNode(definition: Definition, step: NewStep, position: Point, frame: string = ROOT): GraphNode {
  const kind = STEP_KINDS[step.type];
  const { name = kind.title, data = kind.newData() } = step;
  // Expressions refer to the entry node by its type, so its id is never shown.
  const ownId = step.baseId ?? (step.name === undefined ? "" : idFromName(name));
  const baseId = (kind.hasInput && ownId) || kind.baseId;
  const id = nextFreeName(baseId, new Set(definition.nodes.map((node) => node.id)));
  const suffix = id.slice(baseId.length).replace("_", " ");
  const { type } = step;
  return { id, type, position: snapPoint(position), ...parentIn(frame), data: { name: `${name}${suffix}`, ...data } };
}

/**
 * Returns the definition with the step as a new node at the spot, connected as the spot requires. Other nodes keep their layout.
 */
export function insertNode(
  definition: Definition,
  step: NewStep,
  spot: InsertSpot,
  sizes: Sizes,
  orientation: Orientation = "vertical",
): Insertion {
  const view = { sizes, orientation };
  const { definition: grown, nodeId } = insertAtSpot(definition, step, spot, view);
  return { definition: makeRoom(definition, fitFrames(grown, view), view), nodeId };
}

function insertAtSpot(definition: Definition, step: NewStep, spot: InsertSpot, view: DrawingView): Insertion {
  if (spot.kind === "free") return addFree(definition, step, { at: spot.position, frame: ROOT }, view);
  if (spot.kind === "inside") {
    return addFree(definition, step, { at: { x: FRAME_PADDING, y: FRAME_TOP }, frame: spot.loopId }, view);
  }
  if (spot.kind === "after") return addAfter(definition, step, spot, view);
  if (spot.kind === "edge") return splitEdge(definition, step, spot.edgeId, view);
  if (!STEP_KINDS[step.type].hasInput) return addBefore(definition, step, spot.position, view);
  const { position } = spot;
  return insertAtSpot(definition, step, continueFlow(definition, step.type) ?? { kind: "free", position }, view);
}

/** Adds a start, with a line to the first step if there is one. */
function addBefore(definition: Definition, step: NewStep, position: Point, view: DrawingView): Insertion {
  const { orientation } = view;
  const first = firstStep(definition);
  if (first === null) return addFree(definition, step, { at: position, frame: ROOT }, view);
  const room = turnSize(newNodeSize(step.type), orientation).height + RANK_GAP;
  const { x, y } = turnPoint({ x: 0, y: room }, orientation);
  const at = { x: first.position.x - x, y: first.position.y - y };
  const { definition: grown, nodeId } = addFree(definition, step, { at, frame: ROOT }, view);
  const [branch] = STEP_KINDS[step.type].branches({});
  const line = { source: nodeId, sourceHandle: branch?.handle ?? null, target: first.id };
  return { definition: connectNodes(grown, line), nodeId };
}

/** @param place in the frame's own coordinates */
function addFree(
  definition: Definition,
  step: NewStep,
  place: { at: Point; frame: string },
  view: DrawingView,
): Insertion {
  const { at, frame } = place;
  const room = findRoom(definition, at, { frame, size: newNodeSize(step.type) }, view);
  const node = createNode(definition, step, room, frame);
  return { definition: { ...definition, nodes: [...definition.nodes, node] }, nodeId: node.id };
}

function addAfter(
  definition: Definition,
  step: NewStep,
  spot: Extract<InsertSpot, { kind: "after" }>,
  view: DrawingView,
): Insertion {
  const { source: sourceId, sourceHandle, position } = spot;
  const frame = frameOfNode(definition, sourceId);
  const source = definition.nodes.find((node) => node.id === sourceId);
  const origin = originOf(definition, frame);
  const branch = { handle: sourceHandle, size: newNodeSize(step.type) };
  const at =
    position !== undefined
      ? { x: position.x - origin.x, y: position.y - origin.y }
      : source === undefined
        ? { x: 0, y: 0 }
        : placeAfter(definition, source, branch, view);
  const { definition: grown, nodeId } = addFree(definition, step, { at, frame }, view);
  return { definition: connectNodes(grown, { source: sourceId, sourceHandle, target: nodeId }), nodeId };
}

/**
 * Inserts the new node into the edge: the old target and the steps after it move down to make room. The new node
 * continues through its first branch, so a condition continues on its True branch.
 */
function splitEdge(definition: Definition, step: NewStep, edgeId: string, view: DrawingView): Insertion {
  const edge = definition.edges.find((candidate) => candidate.id === edgeId);
  const source = definition.nodes.find((node) => node.id === edge?.source);
  const target = definition.nodes.find((node) => node.id === edge?.target);
  if (edge === undefined || source === undefined || target === undefined) {
    return addFree(definition, step, { at: { x: 0, y: 0 }, frame: ROOT }, view);
  }
  const place = placeBetween(definition, { source, target, type: step.type }, view);
  const node = createNode(definition, step, place, frameOfNode(definition, source.id));
  const nodes = [...pushAfter(definition, { node, target }, view), node];
  const cut = { nodes, edges: definition.edges.filter((other) => other.id !== edge.id) };
  const into = connectNodes(cut, { source: edge.source, sourceHandle: edge.sourceHandle, target: node.id });
  const handle = STEP_KINDS[node.type].branches(node.data)[0]?.handle ?? null;
  return {
    definition: connectNodes(into, { source: node.id, sourceHandle: handle, target: edge.target }),
    nodeId: node.id,
  };
}

interface Between {
  source: GraphNode;
  target: GraphNode;
  type: NodeType;
}

/** After the source, in line with the target. */
function placeBetween(definition: Definition, { source, target, type }: Between, view: DrawingView): Point {
  const { sizes, orientation } = view;
  const own = turnSize(newNodeSize(type), orientation);
  const next = turnSize(nodeSize(definition, target, sizes, orientation), orientation);
  const across = turnPoint(target.position, orientation).x + (next.width - own.width) / 2;
  const along = turnPoint(source.position, orientation).y + roomAlong(definition, source, view);
  return turnPoint({ x: across, y: along + gapAfter(source, orientation) }, orientation);
}

/** Returns the nodes with the target and everything after it moved as far as the new node needs. */
function pushAfter(
  definition: Definition,
  { node, target }: { node: GraphNode; target: GraphNode },
  { orientation }: DrawingView,
): GraphNode[] {
  const end = turnPoint(node.position, orientation).y + turnSize(newNodeSize(node.type), orientation).height;
  const needed = snapPoint({ x: 0, y: end + gapAfter(node, orientation) }).y;
  const distance = Math.max(0, needed - turnPoint(target.position, orientation).y);
  if (distance === 0) return definition.nodes;
  const { x, y } = turnPoint({ x: 0, y: distance }, orientation);
  const moved = downstreamOf(definition.edges, target.id);
  return definition.nodes.map((other) =>
    moved.has(other.id) ? { ...other, position: { x: other.position.x + x, y: other.position.y + y } } : other,
  );
}
