import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { FRAME_PADDING, FRAME_TOP, NODE_GAP, type Point, type Size } from "@/components/canvas/document/dimensions";
import { moveNodes } from "@/components/canvas/document/edit-data";
import {
  frameOfNode,
  framesOf,
  originOf,
  outermostOf,
  placeOf,
  ROOT,
  withBodies,
} from "@/components/canvas/document/frames";
import { heal } from "@/components/canvas/document/remove-nodes";
import { findRoom, parentIn } from "@/components/canvas/layout/find-room";
import { fitFrames, makeRoom } from "@/components/canvas/layout/fit-frames";
import type { DrawingView } from "@/components/canvas/layout/frame-lines";
import { nodeSize } from "@/components/canvas/layout/node-size";

/** Nodes that moved into another frame, and the edges this removed. */
export interface Crossing {
  definition: Definition;
  /** Number of edges removed because they would have crossed the border of a loop. */
  cutEdges: number;
}

type Positions = Readonly<Record<string, Point>>;

/** Returns why a node can't be inside a loop, as a sentence, or null when it can. */
export function crossingRefusal(definition: Definition, nodeId: string, loopId: string): string | null {
  const node = definition.nodes.find((candidate) => candidate.id === nodeId);
  if (node === undefined || loopId === ROOT) return null;
  if (!STEP_KINDS[node.type].fitsInLoop) return `${STEP_KINDS[node.type].title} can't be inside a loop.`;
  return withBodies(definition, [nodeId]).has(loopId) ? "A loop can't be inside itself." : null;
}

/** Returns the frame under the middle of a node that is being moved to `position` inside its current frame. */
export function frameUnder(definition: Definition, node: GraphNode, position: Point, view: DrawingView): string {
  const { sizes, orientation } = view;
  const { outerFirst } = framesOf(definition);
  const own = withBodies(definition, [node.id]);
  const origin = originOf(definition, frameOfNode(definition, node.id));
  const size = nodeSize(definition, node, sizes, orientation);
  const middle = { x: origin.x + position.x + size.width / 2, y: origin.y + position.y + size.height / 2 };
  const holds = (loopId: string) => {
    const loop = definition.nodes.find((candidate) => candidate.id === loopId);
    return (
      loop !== undefined && isInBox(middle, placeOf(definition, loop), nodeSize(definition, loop, sizes, orientation))
    );
  };
  return outerFirst.findLast((loopId) => loopId !== ROOT && !own.has(loopId) && holds(loopId)) ?? ROOT;
}

function isInBox(point: Point, corner: Point, { width, height }: Size): boolean {
  return point.x >= corner.x && point.x <= corner.x + width && point.y >= corner.y && point.y <= corner.y + height;
}

/**
 * Drops nodes at the positions they were dragged to: over a loop they move into it, outside their loop they leave it.
 */
export function dropNodes(definition: Definition, positions: Positions, view: DrawingView): Crossing {
  const moved = moveNodes(definition, positions);
  if (moved === definition || framesOf(definition).outerFirst.length === 1) return { definition: moved, cutEdges: 0 };
  const crossing = new Map<string, string>();
  for (const id of outermostOf(definition, new Set(Object.keys(positions)))) {
    const node = definition.nodes.find((candidate) => candidate.id === id);
    if (node === undefined) continue;
    // The frames as they were while the user was aiming at them.
    const frame = frameUnder(definition, node, positions[id] ?? node.position, view);
    if (frame !== frameOfNode(definition, id) && crossingRefusal(definition, id, frame) === null)
      crossing.set(id, frame);
  }
  const { definition: crossed, cutEdges } = cross(moved, crossing);
  const apart = [...crossing.keys()].reduce((current, id) => moveApart(current, id, view), crossed);
  return { definition: makeRoom(definition, fitFrames(apart, view), view), cutEdges };
}

/** Moves one node to a free place in a loop, or in the workflow itself: the same as a drag, without a pointer. */
export function moveToFrame(definition: Definition, nodeId: string, frame: string, view: DrawingView): Crossing {
  const node = definition.nodes.find((candidate) => candidate.id === nodeId);
  if (node === undefined || frame === frameOfNode(definition, nodeId)) return { definition, cutEdges: 0 };
  if (crossingRefusal(definition, nodeId, frame) !== null) return { definition, cutEdges: 0 };
  const { definition: crossed, cutEdges } = cross(definition, new Map([[nodeId, frame]]));
  const beside = moveNodes(crossed, { [nodeId]: placeBeside(crossed, nodeId, frame) });
  const fitted = fitFrames(moveApart(beside, nodeId, view), view);
  return { definition: makeRoom(definition, fitted, view), cutEdges };
}

/** Moves the node to the right until it covers no other node. */
function moveApart(definition: Definition, nodeId: string, view: DrawingView): Definition {
  const node = definition.nodes.find((candidate) => candidate.id === nodeId);
  if (node === undefined) return definition;
  const others = { ...definition, nodes: definition.nodes.filter((other) => other.id !== nodeId) };
  const placing = {
    frame: frameOfNode(definition, nodeId),
    size: nodeSize(definition, node, view.sizes, view.orientation),
  };
  return moveNodes(definition, { [nodeId]: findRoom(others, node.position, placing, view) });
}

/** Inside a loop, next to its body; outside, to the right of the node's previous position. */
function placeBeside(definition: Definition, nodeId: string, frame: string): Point {
  const inside = (framesOf(definition).bodyOf.get(frame) ?? []).filter((node) => node.id !== nodeId);
  const node = definition.nodes.find((candidate) => candidate.id === nodeId);
  const [first] = inside;
  if (frame === ROOT) return node?.position ?? { x: 0, y: 0 };
  if (first === undefined) return { x: FRAME_PADDING, y: FRAME_TOP };
  return { x: first.position.x + NODE_GAP, y: first.position.y };
}

/** Changes the frames but keeps every node at its canvas position. The line that the node left is reconnected. */
function cross(definition: Definition, frames: ReadonlyMap<string, string>): Crossing {
  if (frames.size === 0) return { definition, cutEdges: 0 };
  const nodes = definition.nodes.map((node) => {
    const frame = frames.get(node.id);
    if (frame === undefined) return node;
    const { parentId: _former, ...rest } = node;
    const place = placeOf(definition, node);
    const origin = originOf(definition, frame);
    return { ...rest, position: { x: place.x - origin.x, y: place.y - origin.y }, ...parentIn(frame) };
  });
  const moved = { ...definition, nodes };
  const edges = definition.edges.filter((edge) => frameOfNode(moved, edge.source) === frameOfNode(moved, edge.target));
  const cut = { nodes, edges };
  const [only] = frames.keys();
  const healed = frames.size === 1 && only !== undefined ? heal(cut, definition.edges, only) : cut;
  return { definition: healed, cutEdges: definition.edges.length - edges.length };
}
