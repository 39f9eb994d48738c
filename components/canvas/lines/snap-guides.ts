import { type Box, type Point, snapToGrid } from "@/components/canvas/document/dimensions";

/** A line that shows what a dragged card is aligned with, or one of several equal gaps. Along the other axis. */
export interface Guide {
  kind: "align" | "gap";
  /** `x` for a vertical alignment and for horizontal gaps. */
  axis: "x" | "y";
  /** An alignment's coordinate on its axis; a gap's coordinate on the other axis. */
  at: number;
  from: number;
  to: number;
}

export interface Snap {
  /** What to add to the dragged cards' positions. */
  shift: Point;
  guides: readonly Guide[];
}

export const NO_GUIDES: readonly Guide[] = [];

type Axis = "x" | "y";
const LENGTH = { x: "width", y: "height" } as const;
const OTHER = { x: "y", y: "x" } as const;
/** Whole pixels can be half a pixel next to a middle; two gaps then differ by one. */
const SAME = 0.51;
const SAME_GAP = 1.01;

/**
 * Snaps dragged cards to the edges, centers and gaps of the cards around them, and elsewhere to the grid. Each axis snaps
 * on its own.
 * @param moving the box around the dragged cards, where the pointer is
 * @param anchor the position that the grid applies to
 * @param reach how near counts, in the pixels of the drawing
 */
export function snapToGuides(moving: Box, others: readonly Box[], anchor: Point, reach: number): Snap {
  const [x, y] = (["x", "y"] as const).map((axis) => {
    const found = nearestOf(candidates(axis, moving, others), reach);
    // Positions are whole pixels, also in the middle of an odd gap.
    const place = found === null ? snapToGrid(anchor[axis]) : Math.round(anchor[axis] + found);
    return place - anchor[axis];
  });
  const shift = { x: x ?? 0, y: y ?? 0 };
  const placed = { ...moving, x: moving.x + shift.x, y: moving.y + shift.y };
  return { shift, guides: [...guidesOn("x", placed, others), ...guidesOn("y", placed, others)] };
}

function nearestOf(shifts: readonly number[], reach: number): number | null {
  let nearest: number | null = null;
  for (const shift of shifts) {
    if (Math.abs(shift) <= reach && (nearest === null || Math.abs(shift) < Math.abs(nearest))) nearest = shift;
  }
  return nearest;
}

/** Returns every shift along an axis that aligns the box with another one or makes its gaps equal. */
function candidates(axis: Axis, moving: Box, others: readonly Box[]): number[] {
  const lines = linesOf(axis, moving);
  const aligned = others.flatMap((other) => linesOf(axis, other).map((line, at) => line - (lines[at] ?? line)));
  const { before, after } = neighbors(axis, moving, others);
  const length = LENGTH[axis];
  const start = moving[axis];
  const [near, further] = before;
  const [next, nextButOne] = after;
  const gaps = [
    near && next ? (endOf(axis, near) + next[axis] - moving[length]) / 2 : null,
    near && further ? endOf(axis, near) + near[axis] - endOf(axis, further) : null,
    next && nextButOne ? next[axis] - (nextButOne[axis] - endOf(axis, next)) - moving[length] : null,
  ];
  return [...aligned, ...gaps.flatMap((place) => (place === null ? [] : [place - start]))];
}

/** Returns the start, middle and end of a box on an axis. */
function linesOf(axis: Axis, box: Box): number[] {
  return [box[axis], box[axis] + box[LENGTH[axis]] / 2, endOf(axis, box)];
}

function endOf(axis: Axis, box: Box): number {
  return box[axis] + box[LENGTH[axis]];
}

/** Returns the two nearest boxes before and after the moving one in its row or column, nearest first. */
function neighbors(axis: Axis, moving: Box, others: readonly Box[]): { before: Box[]; after: Box[] } {
  const across = OTHER[axis];
  const row = others.filter((box) => box[across] < endOf(across, moving) && moving[across] < endOf(across, box));
  const middle = moving[axis] + moving[LENGTH[axis]] / 2;
  const before = row.filter((box) => endOf(axis, box) <= middle).sort((a, b) => endOf(axis, b) - endOf(axis, a));
  const after = row.filter((box) => box[axis] >= middle).sort((a, b) => a[axis] - b[axis]);
  return { before: before.slice(0, 2), after: after.slice(0, 2) };
}

function guidesOn(axis: Axis, placed: Box, others: readonly Box[]): Guide[] {
  return [...alignmentsOn(axis, placed, others), ...gapsOn(axis, placed, others)];
}

function alignmentsOn(axis: Axis, placed: Box, others: readonly Box[]): Guide[] {
  const across = OTHER[axis];
  return linesOf(axis, placed).flatMap((at, which): Guide[] => {
    const aligned = others.filter((box) => Math.abs((linesOf(axis, box)[which] ?? Number.NaN) - at) < SAME);
    if (aligned.length === 0) return [];
    const all = [placed, ...aligned];
    const from = Math.min(...all.map((box) => box[across]));
    return [{ kind: "align", axis, at, from, to: Math.max(...all.map((box) => endOf(across, box))) }];
  });
}

/** Returns the gaps next to the placed box that are equal to a gap next to them. */
function gapsOn(axis: Axis, placed: Box, others: readonly Box[]): Guide[] {
  const { before, after } = neighbors(axis, placed, others);
  const row = [...before.toReversed(), placed, ...after];
  const gaps = row.slice(1).map((box, at) => {
    const left = row[at] ?? box;
    return { left, right: box, size: box[axis] - endOf(axis, left), isOwn: left === placed || box === placed };
  });
  const isEqual = (a: { size: number } | undefined, b: { size: number } | undefined) =>
    a !== undefined && b !== undefined && a.size > SAME_GAP && Math.abs(a.size - b.size) < SAME_GAP;
  const across = OTHER[axis];
  return gaps.flatMap((gap, at): Guide[] => {
    const own = (other: (typeof gaps)[number] | undefined) => isEqual(gap, other) && (gap.isOwn || other?.isOwn);
    if (!own(gaps[at - 1]) && !own(gaps[at + 1])) return [];
    const middle =
      (Math.max(gap.left[across], gap.right[across]) + Math.min(endOf(across, gap.left), endOf(across, gap.right))) / 2;
    return [{ kind: "gap", axis, at: middle, from: endOf(axis, gap.left), to: gap.right[axis] }];
  });
}
