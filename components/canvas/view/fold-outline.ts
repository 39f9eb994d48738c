import type { GraphOutline, OutlineBox } from "#lib/contract/workflow/workflow";

/** The width of a thumbnail over its height. */
const ASPECT = 1.75;
/** The space between two columns, in cells. */
const GAP = 4;
/** The distance between two rows of cards in an outline, so that a cut leaves cards whole. */
const ROW = 8;

/**
 * Cuts a drawing that is much taller than a thumbnail into columns, read from left to right. At its true proportions, a
 * workflow of thirty steps would be a line two pixels wide, the same as every other one.
 */
export function foldOutline(outline: GraphOutline): GraphOutline {
  const pitch = outline.width + GAP;
  const columns = Math.round(Math.sqrt((ASPECT * outline.height) / pitch));
  if (columns <= 1) return outline;
  const cut = Math.ceil(outline.height / columns / ROW) * ROW;
  const columnOf = (index: number) => Math.floor((outline.boxes[index]?.[1] ?? 0) / cut);
  const pieces = outline.boxes.map((box) => cutBox(box, cut, pitch));
  const boxes = [...pieces.flatMap((parts) => parts.slice(0, 1)), ...pieces.flatMap((parts) => parts.slice(1))];
  return {
    width: Math.max(...boxes.map(([x, , width]) => x + width)),
    height: Math.max(...boxes.map(([, y, , height]) => y + height)),
    boxes,
    lines: outline.lines.filter(([from, to]) => columnOf(from) === columnOf(to)),
  };
}

/** Returns the parts of a box in the columns. A card stays whole; the frame of a loop continues in the next column. */
function cutBox([x, y, width, height, category, isFrame]: OutlineBox, cut: number, pitch: number): OutlineBox[] {
  const column = Math.floor(y / cut);
  const top = y - column * cut;
  const part = isFrame ? Math.min(height, cut - top) : height;
  const first: OutlineBox = [x + column * pitch, top, width, part, category, isFrame];
  if (part === height) return [first];
  return [first, ...cutBox([x, y + part, width, height - part, category, isFrame], cut, pitch)];
}
