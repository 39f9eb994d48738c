import type { Definition, GraphNode, NodeType } from "#lib/contract/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import {
  CARD_WIDTH,
  FRAME_HEIGHT_MIN,
  FRAME_WIDTH_MIN,
  FULL_CARD_HEIGHT,
  NODE_GAP,
  type Point,
  RANK_GAP,
  type Size,
  type Sizes,
  snapToGrid,
} from "@/components/canvas/document/dimensions";
import { framesOf, ROOT } from "@/components/canvas/document/frames";
import { nodeSize } from "@/components/canvas/layout/node-size";

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

/** Returns the wanted position inside the frame, or the nearest free position to its right. */
export function findRoom(definition: Definition, wanted: Point, { frame, size }: Placing, sizes: Sizes): Point {
  const place = snapPoint(wanted);
  const others = framesOf(definition).bodyOf.get(frame) ?? [];
  const overlaps = (x: number) =>
    others.some((node) => {
      const other = nodeSize(definition, node, sizes);
      const isApart =
        node.position.x + other.width + GAP_MIN <= x ||
        x + size.width + GAP_MIN <= node.position.x ||
        node.position.y + other.height + GAP_MIN <= place.y ||
        place.y + size.height + GAP_MIN <= node.position.y;
      return !isApart;
    });
  let x = place.x;
  while (overlaps(x)) x += CARD_WIDTH + NODE_GAP;
  return { x, y: place.y };
}

/**
 * Returns the position below a node, centered under it, or under the branch's own port if the node has several
 * branches.
 */
export function placeBelow(
  definition: Definition,
  source: GraphNode,
  { handle, width }: { handle: string | null; width: number },
  sizes: Sizes,
): Point {
  const outputs = STEP_KINDS[source.type].branches(source.data);
  const index = outputs.findIndex((output) => output.handle === handle);
  const fan = outputs.length < 2 ? 0 : (index - (outputs.length - 1) / 2) * (CARD_WIDTH + NODE_GAP);
  const size = nodeSize(definition, source, sizes);
  return {
    x: source.position.x + (size.width - width) / 2 + fan,
    y: source.position.y + roomFor(definition, source, sizes) + RANK_GAP + (outputs.length > 1 ? NODE_GAP : 0),
  };
}

/** Returns the height that a node takes now or will take once it is filled in. */
export function roomFor(definition: Definition, node: GraphNode, sizes: Sizes): number {
  return Math.max(newNodeSize(node.type).height, nodeSize(definition, node, sizes).height);
}

export function snapPoint(point: Point): Point {
  return { x: snapToGrid(point.x), y: snapToGrid(point.y) };
}

/** Returns `parentId` as the document stores it for a frame. */
export function parentIn(frame: string): { parentId?: string } {
  return frame === ROOT ? {} : { parentId: frame };
}
