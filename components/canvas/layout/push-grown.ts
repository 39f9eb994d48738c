import type { Definition } from "#lib/contract/workflow/graph";
import { NODE_GAP, type Point, type Sizes } from "@/components/canvas/document/dimensions";
import { moveNodes } from "@/components/canvas/document/edit-data";
import { framesOf } from "@/components/canvas/document/frames";
import { fitFrame } from "@/components/canvas/layout/fit-frames";
import { type DrawingView, type FrameLines, frameLines } from "@/components/canvas/layout/frame-lines";
import { nodeSize } from "@/components/canvas/layout/node-size";
import { planFrame } from "@/components/canvas/layout/plan-frame";
import { LOOSE_GAP, measureRows } from "@/components/canvas/layout/row-gaps";
import type { Span } from "@/components/canvas/lines/free-space";
import { LANE_TO_CARD, LANE_TO_LANE } from "@/components/canvas/lines/line-sizes";
import { type Rect, turnBox, turnPoint } from "@/components/canvas/lines/orientation";

/** A node of a frame, turned like its plan, before and after it has grown. */
interface GrownNode {
  id: string;
  before: Rect;
  now: Rect;
}

interface GrownFrame {
  nodes: readonly GrownNode[];
  /** The lines as they were. */
  lines: FrameLines;
  /** Returns the definition with the nodes moved from where they are now, along and across the drawing. */
  move: (shifts: { across: Shifts; along: Shifts }) => Definition;
}

type Shifts = ReadonlyMap<string, number>;

/**
 * Returns the definition with everything around grown cards moved away as far as the cards and lines there need,
 * innermost frames first. Whole rows move, so that what was in one row, or above one another, stays so.
 * @param former the sizes before
 */
export function pushGrown(before: Definition, former: Sizes, view: DrawingView): Definition {
  // A card that is measured for the first time has not grown.
  const sizes = { ...view.sizes, ...former };
  const push = (definition: Definition, frame: string) => {
    const grown = readFrame({ before, sizes }, definition, frame, view);
    const hasGrown = grown.nodes.some(({ before: was, now }) => now.height > was.height || now.width !== was.width);
    if (!hasGrown) return definition;
    const across = shiftAcross(grown);
    const along = shiftAlong(grown, across, (apart) =>
      planFrame(apart, frame, view.orientation, (node) => nodeSize(apart, node, view.sizes, view.orientation)),
    );
    return fitFrame(grown.move({ across, along }), frame, view);
  };
  return [...framesOf(before).outerFirst].reverse().reduce(push, before);
}

function readFrame(
  { before, sizes }: { before: Definition; sizes: Sizes },
  definition: Definition,
  frame: string,
  view: DrawingView,
): GrownFrame {
  const { orientation } = view;
  const boxesIn = (document: Definition, measured: Sizes) => {
    const body = framesOf(document).bodyOf.get(frame) ?? [];
    const boxOf = (node: (typeof body)[number]) =>
      turnBox({ ...node.position, ...nodeSize(document, node, measured, orientation) }, orientation);
    return new Map(body.map((node) => [node.id, boxOf(node)]));
  };
  const earlier = boxesIn(before, sizes);
  const nodes = [...boxesIn(definition, view.sizes)].map(([id, now]) => ({ id, now, before: earlier.get(id) ?? now }));
  const lines = frameLines(before, frame, { sizes, orientation, nodeSize });
  const move = ({ across, along }: { across: Shifts; along: Shifts }) => {
    const moved = nodes.map(({ id, now: { x, y } }): [string, Point] => {
      return [id, turnPoint({ x: x + (across.get(id) ?? 0), y: y + (along.get(id) ?? 0) }, orientation)];
    });
    return moveNodes(definition, Object.fromEntries(moved));
  };
  return { nodes, lines, move };
}

/** A card that grows across the drawing keeps its middle, so that the lines through it stay straight. */
function shiftAcross({ nodes, lines }: GrownFrame): Shifts {
  const shifts = new Map(
    nodes.map(({ id, before, now }) => [id, before.x + before.width / 2 - now.x - now.width / 2] as const),
  );
  const placeOf = ({ id, now }: GrownNode) => ({ ...now, x: now.x + (shifts.get(id) ?? 0) });
  const push = (grown: GrownNode, gapBetween: (from: Rect, to: Rect) => number, direction: 1 | -1) => {
    const beyond = nodes.filter((other) => gapBetween(grown.before, other.before) >= 0);
    const lacks = beyond
      .filter((other) => isBeside(grown.now, other.now))
      .map((other) => {
        const gap = gapBetween(grown.before, other.before);
        const start = direction === 1 ? grown.before.x + grown.before.width : grown.before.x - gap;
        const needed = Math.min(gap, gapFor(lines, { from: start, to: start + gap }, grown.now));
        return needed - gapBetween(placeOf(grown), placeOf(other));
      });
    const by = direction * Math.ceil(Math.max(0, ...lacks));
    for (const { id } of beyond) shifts.set(id, (shifts.get(id) ?? 0) + by);
  };
  for (const node of nodes) {
    if (node.now.width <= node.before.width) continue;
    push(node, (from, to) => to.x - from.x - from.width, 1);
    push(node, (from, to) => from.x - to.x - to.width, -1);
  }
  return shifts;
}

function isBeside(a: Rect, b: Rect): boolean {
  return a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Returns the gap that two cards side by side need for the lines between them. */
function gapFor({ courses }: FrameLines, { from, to }: Span, { y, height }: Rect): number {
  const columns = new Set<number>();
  for (const points of courses.values()) {
    for (const [index, end] of points.entries()) {
      const start = points[index - 1];
      if (start?.x !== end.x || end.x <= from || end.x >= to) continue;
      if (Math.min(start.y, end.y) < y + height && y < Math.max(start.y, end.y)) columns.add(end.x);
    }
  }
  return columns.size === 0 ? NODE_GAP : 2 * LANE_TO_CARD + (columns.size - 1) * LANE_TO_LANE;
}

/** Rows that a card has grown towards move, and rows between which lines now bend at other places. */
function shiftAlong(
  { nodes, lines, move }: GrownFrame,
  across: Shifts,
  planOf: (apart: Definition) => ReturnType<typeof planFrame>,
): Shifts {
  const boxes = new Map(nodes.map(({ id, now }) => [id, now]));
  const ends = nodes.flatMap(({ before, now }) => (now.height > before.height ? [before.y + before.height] : []));
  for (const { source, target } of lines.plan.lines) {
    const [from, to] = [boxes.get(source), boxes.get(target)];
    const isSame = across.get(source) === across.get(target);
    if (!isSame && from !== undefined && to !== undefined) ends.push(from.y + from.height, to.y);
  }
  const tops = ends.map((end) => Math.min(...nodes.filter(({ now }) => now.y >= end).map(({ now }) => now.y)));
  const starts = [...new Set(tops)].filter(Number.isFinite).sort((a, b) => a - b);
  const rowOf = ({ now }: GrownNode) => starts.findLastIndex((start) => now.y >= start) + 1;
  const rows = [Number.NEGATIVE_INFINITY, ...starts].map((top, row) => {
    const end = starts[row] ?? Number.POSITIVE_INFINITY;
    // A card that reaches into the next row is next to it, not above it.
    const above = nodes.filter((node) => rowOf(node) === row && node.before.y + node.before.height <= end);
    return { top, bottom: Math.max(...above.map(({ now }) => now.y + now.height)) };
  });
  const shiftBy = (distances: readonly number[]) =>
    new Map(nodes.map((node) => [node.id, distances.slice(0, rowOf(node)).reduce((sum, by) => sum + by, 0)]));
  const gaps = measureRows(
    planOf(move({ across, along: shiftBy(starts.map(() => LOOSE_GAP)) })),
    rows.map(({ top, bottom }, row) => ({ top: top + row * LOOSE_GAP, bottom: bottom + row * LOOSE_GAP })),
  );
  return shiftBy(gaps.map((gap, row) => Math.max(0, gap - ((starts[row] ?? 0) - (rows[row]?.bottom ?? 0)))));
}
