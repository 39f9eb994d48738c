import type { Point } from "@/components/canvas/document/dimensions";

/**
 * Where to add a new node: at a free place, inside a loop, after a branch (at a point, if the user chose one), or into
 * an edge. Points are in canvas coordinates.
 */
export type InsertSpot =
  | { kind: "free"; position: Point }
  | { kind: "inside"; loopId: string }
  | { kind: "after"; source: string; sourceHandle: string | null; position?: Point }
  | { kind: "edge"; edgeId: string };
