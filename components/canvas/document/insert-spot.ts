import type { Point } from "@/components/canvas/document/dimensions";

/**
 * Where to add a new node: at a free place, where the flow continues (at a point while there is no flow), inside a loop,
 * after a branch (at a point, if the user chose one), or into an edge. Points are in canvas coordinates.
 */
export type InsertSpot =
  | { kind: "free"; position: Point }
  | { kind: "flow"; position: Point }
  | { kind: "inside"; loopId: string }
  | { kind: "after"; source: string; sourceHandle: string | null; position?: Point }
  | { kind: "edge"; edgeId: string };

/** Returns the spot after a node got another id. */
export function followSpot(spot: InsertSpot, fromId: string, toId: string): InsertSpot {
  if (spot.kind === "after" && spot.source === fromId) return { ...spot, source: toId };
  if (spot.kind === "inside" && spot.loopId === fromId) return { ...spot, loopId: toId };
  return spot;
}
