import { type Box, type Point, type Size, unionOf } from "@/components/canvas/document/dimensions";
import type { View } from "@/components/canvas/store/sticky-view";

/**
 * Returns the visible part of the drawing.
 * @param pane the canvas on the screen
 */
export function seenBox({ x, y, zoom }: View, pane: Size): Box {
  return { x: -x / zoom, y: -y / zoom, width: pane.width / zoom, height: pane.height / zoom };
}

/** Returns the view centered on a point of the drawing, at the same zoom. */
export function viewAround({ x, y }: Point, zoom: number, pane: Size): View {
  return { x: pane.width / 2 - x * zoom, y: pane.height / 2 - y * zoom, zoom };
}

/** Returns the area that the minimap shows: the drawing and the view, with a margin. */
export function mapBox(drawing: Box, seen: Box): Box {
  const { x, y, width, height } = unionOf([drawing, seen]) ?? drawing;
  const air = Math.max(width, height) * 0.04;
  return { x: x - air, y: y - air, width: width + 2 * air, height: height + 2 * air };
}

/** Returns true if the inner box is completely inside the outer one. */
export function contains(outer: Box, inner: Box): boolean {
  return holds(outer, inner) && holds(outer, { x: inner.x + inner.width, y: inner.y + inner.height });
}

export function holds(box: Box, { x, y }: Point): boolean {
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}
