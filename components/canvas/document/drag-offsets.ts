import type { CanvasNote } from "#lib/contract/canvas-note";
import type { Definition } from "#lib/contract/graph";
import type { Point } from "@/components/canvas/dimensions";
import { withBodies } from "@/components/canvas/document/frames";

export type Offsets = Readonly<Record<string, Point>>;

export const NO_OFFSETS: Offsets = {};

/**
 * How far what is dragged has come from its place in the document, by id; what stands inside a dragged loop comes along.
 * @param positions where they are now, counted as in the document
 */
export function dragOffsets(
  { definition, notes }: { definition: Definition; notes: readonly CanvasNote[] },
  positions: Readonly<Record<string, Point>>,
): Offsets {
  const offsets: Record<string, Point> = {};
  for (const { id, position } of [...definition.nodes, ...notes]) {
    const next = positions[id];
    if (next === undefined) continue;
    const offset = { x: next.x - position.x, y: next.y - position.y };
    for (const moved of withBodies(definition, [id])) offsets[moved] = offset;
  }
  return offsets;
}
