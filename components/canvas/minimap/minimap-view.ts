import type { Point, Size } from "@/components/canvas/document/dimensions";
import type { View } from "@/components/canvas/store/sticky-view";

export interface Box extends Point, Size {}

/** The smallest rectangle around all of them; null around nothing. */
export function unionOf(boxes: readonly Box[]): Box | null {
  const [first] = boxes;
  if (first === undefined) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** What of the drawing is seen. @param pane the canvas on the screen */
export function seenBox({ x, y, zoom }: View, pane: Size): Box {
  return { x: -x / zoom, y: -y / zoom, width: pane.width / zoom, height: pane.height / zoom };
}

/** The view that has a point of the drawing in its middle, as near as before. */
export function viewAround({ x, y }: Point, zoom: number, pane: Size): View {
  return { x: pane.width / 2 - x * zoom, y: pane.height / 2 - y * zoom, zoom };
}

/** What the map shows: the drawing and the view, with some air. */
export function mapBox(drawing: Box, seen: Box): Box {
  const { x, y, width, height } = unionOf([drawing, seen]) ?? drawing;
  const air = Math.max(width, height) * 0.04;
  return { x: x - air, y: y - air, width: width + 2 * air, height: height + 2 * air };
}

export function holds(box: Box, { x, y }: Point): boolean {
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}
