import { type Box, type Point, unionOf } from "@/components/canvas/document/dimensions";
import { loopsAround, placeOf, withBodies } from "@/components/canvas/document/frames";
import { nodeSize } from "@/components/canvas/layout/node-size";
import { type Guide, NO_GUIDES, snapToGuides } from "@/components/canvas/lines/snap-guides";
import type { CanvasEditor } from "@/components/canvas/store/editor-store";

/** Distance in pixels on the screen from which a card takes a guide; at most half a step of the grid. */
const REACH_PX = 6;
const REACH_MAX = 9;

type Positions = Readonly<Record<string, Point>>;
type Drawing = Pick<CanvasEditor, "definition" | "notes" | "sizes">;

interface Drag {
  of: Drawing;
  ids: string;
  /** Where the dragged cards are in the document, on the canvas. */
  start: Box | null;
  others: readonly Box[];
}

let last: Drag | null = null;

/**
 * Returns the positions of dragged cards, snapped to guides and to the grid.
 * @param isFree true while the user holds the key that turns snapping off
 */
export function snapDrag(
  drawing: Drawing,
  positions: Positions,
  { zoom, isFree }: { zoom: number; isFree: boolean },
): { positions: Positions; guides: readonly Guide[] } {
  const [first] = Object.entries(positions);
  if (first === undefined || isFree) return { positions: rounded(positions), guides: NO_GUIDES };
  const [id, anchor] = first;
  const from = [...drawing.definition.nodes, ...drawing.notes].find((item) => item.id === id)?.position;
  if (from === undefined) return { positions, guides: NO_GUIDES };
  const { start, others } = dragOf(drawing, Object.keys(positions));
  if (start === null) return { positions, guides: NO_GUIDES };
  const moving = { ...start, x: start.x + anchor.x - from.x, y: start.y + anchor.y - from.y };
  const { shift, guides } = snapToGuides(moving, others, anchor, Math.min(REACH_MAX, REACH_PX / zoom));
  const entries = Object.entries(positions).map(([other, { x, y }]) => [other, { x: x + shift.x, y: y + shift.y }]);
  return { positions: Object.fromEntries(entries), guides };
}

function rounded(positions: Positions): Positions {
  const entries = Object.entries(positions).map(([id, { x, y }]) => [id, { x: Math.round(x), y: Math.round(y) }]);
  return Object.fromEntries(entries);
}

/** Collects the boxes once for each drag: the drawing does not change while cards are dragged. */
function dragOf({ definition, notes, sizes }: Drawing, ids: readonly string[]): Drag {
  const key = ids.join(" ");
  if (last?.ids === key && last.of.definition === definition && last.of.notes === notes && last.of.sizes === sizes)
    return last;
  const moved = withBodies(definition, ids);
  const around = new Set(ids.flatMap((id) => loopsAround(definition, id)));
  const boxes = new Map<string, Box>();
  for (const node of definition.nodes)
    boxes.set(node.id, { ...placeOf(definition, node), ...nodeSize(definition, node, sizes) });
  for (const { id, position, width, height } of notes) boxes.set(id, { ...position, width, height });
  const others = [...boxes].flatMap(([id, box]) => (moved.has(id) || around.has(id) ? [] : [box]));
  last = {
    of: { definition, notes, sizes },
    ids: key,
    start: unionOf(ids.flatMap((id) => boxes.get(id) ?? [])),
    others,
  };
  return last;
}
