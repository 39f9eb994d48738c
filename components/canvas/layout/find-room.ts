import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition, GraphNode, NodeType } from "#lib/contract/workflow/graph";
import { FAILED_HANDLE } from "#lib/core/engine/choose-path";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import {
  CARD_WIDTH,
  FRAME_HEIGHT_MIN,
  FRAME_WIDTH_MIN,
  FULL_CARD_HEIGHT,
  GRID,
  NODE_GAP,
  type Point,
  RANK_GAP,
  type Size,
  snapToGrid,
} from "@/components/canvas/document/dimensions";
import { framesOf, ROOT } from "@/components/canvas/document/frames";
import type { DrawingView } from "@/components/canvas/layout/frame-lines";
import { nodeSize } from "@/components/canvas/layout/node-size";
import { ADD_ROOM, LABEL_GAP, LANE_GAP, labelAlong, STUB } from "@/components/canvas/lines/line-sizes";
import { turnPoint, turnSize } from "@/components/canvas/lines/orientation";
import { isCrowded } from "@/components/canvas/lines/port-places";

const GAP_MIN = 10;

/** Returns the room for a new node of this type: a card grows while users fill it in, so it gets its maximum size. */
export function newNodeSize(type: NodeType): Size {
  if (STEP_KINDS[type].holdsBody) return { width: FRAME_WIDTH_MIN, height: FRAME_HEIGHT_MIN };
  return { width: CARD_WIDTH, height: FULL_CARD_HEIGHT };
}

export interface Placing {
  /** The frame that will contain the node; ROOT for the workflow itself. */
  frame: string;
  size: Size;
}

/**
 * Returns the wanted position inside the frame, or the nearest free position next to it: to its right, or below it in a
 * drawing that reads from left to right.
 */
export function findRoom(definition: Definition, wanted: Point, { frame, size }: Placing, view: DrawingView): Point {
  const place = snapPoint(wanted);
  const others = (framesOf(definition).bodyOf.get(frame) ?? []).map((node) => ({
    ...node.position,
    ...nodeSize(definition, node, view.sizes, view.orientation),
  }));
  const overlaps = ({ x, y }: Point) =>
    others.some((other) => {
      const isApart =
        other.x + other.width + GAP_MIN <= x ||
        x + size.width + GAP_MIN <= other.x ||
        other.y + other.height + GAP_MIN <= y ||
        y + size.height + GAP_MIN <= other.y;
      return !isApart;
    });
  const step = turnPoint({ x: acrossOf(view.orientation) + NODE_GAP, y: 0 }, view.orientation);
  while (overlaps(place)) {
    place.x += step.x;
    place.y += step.y;
  }
  return place;
}

/** Returns the extent of a card across the direction of the drawing, on the grid. */
function acrossOf(orientation: Orientation): number {
  return turnSize({ width: CARD_WIDTH, height: Math.ceil(FULL_CARD_HEIGHT / GRID) * GRID }, orientation).width;
}

/**
 * Returns the position after a node, centered on it, or on the branch's own place if the node has several branches.
 * What follows a failure is placed beyond everything else.
 */
export function placeAfter(
  definition: Definition,
  source: GraphNode,
  { handle, size }: { handle: string | null; size: Size },
  { sizes, orientation }: DrawingView,
): Point {
  const outputs = STEP_KINDS[source.type].branches(source.data);
  const found = outputs.findIndex((output) => output.handle === handle);
  const isFailure = found === -1 && handle === FAILED_HANDLE;
  const index = isFailure ? outputs.length : found;
  const isAside = isFailure || outputs.length > 1;
  const fan = isAside ? (index - (outputs.length - 1) / 2) * (acrossOf(orientation) + NODE_GAP) : 0;
  const own = turnSize(nodeSize(definition, source, sizes, orientation), orientation);
  const { x, y } = turnPoint(source.position, orientation);
  const place = {
    x: x + (own.width - turnSize(size, orientation).width) / 2 + fan,
    y: y + roomAlong(definition, source, { sizes, orientation }) + gapAfter(source, orientation),
  };
  return turnPoint(place, orientation);
}

/** Returns the extent along the drawing that a node takes now or will take once it is filled in. */
export function roomAlong(definition: Definition, node: GraphNode, { sizes, orientation }: DrawingView): number {
  const full = turnSize(newNodeSize(node.type), orientation).height;
  return Math.max(full, turnSize(nodeSize(definition, node, sizes, orientation), orientation).height);
}

/** Returns the distance that the lines and labels after a node need. */
export function gapAfter({ type, data }: GraphNode, orientation: Orientation): number {
  const outputs = STEP_KINDS[type].branches(data);
  if (outputs.length < 2) return RANK_GAP;
  const labels = outputs.map(({ label }) => labelAlong(label, orientation, isCrowded(outputs, orientation)));
  const gap = LABEL_GAP + Math.max(...labels) + 2 * STUB + ADD_ROOM + LANE_GAP * Math.ceil(outputs.length / 2);
  return Math.max(RANK_GAP + NODE_GAP, Math.ceil(gap / GRID) * GRID);
}

export function snapPoint(point: Point): Point {
  return { x: snapToGrid(point.x), y: snapToGrid(point.y) };
}

/** Returns `parentId` as the document stores it for a frame. */
export function parentIn(frame: string): { parentId?: string } {
  return frame === ROOT ? {} : { parentId: frame };
}
