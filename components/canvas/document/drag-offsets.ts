import type { CanvasNote } from "#lib/contract/canvas-note";
import type { Definition } from "#lib/contract/graph";
import type { Point } from "@/components/canvas/document/dimensions";
import { outermostOf, withBodies } from "@/components/canvas/document/frames";

export type Offsets = Readonly<Record<string, Point>>;

export const NO_OFFSETS: Offsets = {};

type Positions = Readonly<Record<string, Point>>;
interface Drawing {
  definition: Definition;
  notes: readonly CanvasNote[];
}

/** Of what is dragged that which stands in nothing else that is: the rest comes along with the loop around it. */
export function outermostPositions(definition: Definition, positions: Positions): Positions {
  const outermost = outermostOf(definition, new Set(Object.keys(positions)));
  return Object.fromEntries(Object.entries(positions).filter(([id]) => outermost.has(id)));
}

/** True when something that is dragged is in the document no longer. */
export function isAnyGone({ definition, notes }: Drawing, positions: Positions): boolean {
  const left = new Set([...definition.nodes, ...notes].map(({ id }) => id));
  return Object.keys(positions).some((id) => !left.has(id));
}

/**
 * How far what is dragged has come from its place in the document, by id; what stands inside a dragged loop comes along.
 * @param positions where they are now, counted as in the document
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
