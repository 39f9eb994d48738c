import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import type { Definition } from "#lib/contract/workflow/graph";
import type { Point } from "@/components/canvas/document/dimensions";
import { outermostOf, withBodies } from "@/components/canvas/document/frames";

export type Offsets = Readonly<Record<string, Point>>;

export const NO_OFFSETS: Offsets = {};

type Positions = Readonly<Record<string, Point>>;
interface Drawing {
  definition: Definition;
  notes: readonly CanvasNote[];
}

/** Returns the dragged nodes that are inside no other dragged node; the others move with the loop around them. */
export function outermostPositions(definition: Definition, positions: Positions): Positions {
  const outermost = outermostOf(definition, new Set(Object.keys(positions)));
  return Object.fromEntries(Object.entries(positions).filter(([id]) => outermost.has(id)));
}

/** Returns true when a dragged node or note is no longer in the document. */
export function isAnyGone({ definition, notes }: Drawing, positions: Positions): boolean {
  const left = new Set([...definition.nodes, ...notes].map(({ id }) => id));
  return Object.keys(positions).some((id) => !left.has(id));
}

/**
 * Returns how far each dragged node has moved from its position in the document, by id, including everything inside a
 * dragged loop.
 * @param positions current positions, in the coordinates of the document
 */
export function dragOffsets({ definition, notes }: Drawing, positions: Positions): Offsets {
  const offsets: Record<string, Point> = {};
  for (const { id, position } of [...definition.nodes, ...notes]) {
    const next = positions[id];
    if (next === undefined) continue;
    const offset = { x: next.x - position.x, y: next.y - position.y };
    for (const moved of withBodies(definition, [id])) offsets[moved] = offset;
  }
  return offsets;
}
