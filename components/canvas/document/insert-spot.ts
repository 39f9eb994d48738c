import type { Point } from "@/components/canvas/document/dimensions";

/**
 * Where a new node goes: somewhere free, inside a loop, after an output (at a point, when one was chosen), or into an
 * edge. Points are the canvas's.
 */
export type InsertSpot =
  | { kind: "free"; position: Point }
  | { kind: "inside"; loopId: string }
  | { kind: "after"; source: string; sourceHandle: string | null; position?: Point }
  | { kind: "edge"; edgeId: string };
