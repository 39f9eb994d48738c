import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Point, Size } from "@/components/canvas/document/dimensions";

export interface Rect extends Point, Size {}

/**
 * Swaps the axes of a drawing that reads from left to right. Routing and layout know only one direction; the same
 * function converts their result back.
 */
export function turnPoint({ x, y }: Point, orientation: Orientation): Point {
  return orientation === "vertical" ? { x, y } : { x: y, y: x };
}

export function turnSize({ width, height }: Size, orientation: Orientation): Size {
  return orientation === "vertical" ? { width, height } : { width: height, height: width };
}

export function turnBox(box: Rect, orientation: Orientation): Rect {
  return { ...turnPoint(box, orientation), ...turnSize(box, orientation) };
}
