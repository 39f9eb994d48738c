import type { Point } from "@/components/canvas/document/dimensions";
import { freeSpans, type Span, spanBetween } from "@/components/canvas/lines/free-space";
import { ADD_TARGET, STUB } from "@/components/canvas/lines/line-sizes";
import type { Rect } from "@/components/canvas/lines/orientation";
import { targetAround } from "@/components/canvas/lines/port-parts";

/** A straight part of a line. */
interface Piece {
  from: Point;
  to: Point;
}

const REACH = ADD_TARGET / 2;

/** Where the button of a line may be: a part, the wished distance from its start, and what is free of it. */
interface Wish {
  piece: Piece;
  at: number;
  free: Span[];
}

/**
 * Returns the place of each line's add button: on a part that belongs to this line alone, over nothing else. A line
 * without such a part has none.
 */
export function placeAdds(
  lines: readonly { id: string; points: readonly Point[] }[],
  taken: readonly Rect[],
): Map<string, Point> {
  const pieces = lines.map(({ points }) => piecesOf(points));
  const boxes = pieces.map((parts) => parts.map(boxOf));
  const wishes = lines.map(({ id }, index) => {
    const obstacles = [...boxes.flatMap((own, at) => (at === index ? [] : own)), ...taken];
    return { id, wishes: wishesOf(pieces[index] ?? [], obstacles) };
  });
  const adds = new Map<string, Point>();
  // A line with little choice goes first.
  for (const line of wishes.toSorted((a, b) => roomOf(a.wishes) - roomOf(b.wishes))) {
    const place = findPlace(line.wishes, [...adds.values()].map(targetAround));
    if (place !== null) adds.set(line.id, place);
  }
  return adds;
}

function piecesOf(points: readonly Point[]): Piece[] {
  return points.slice(1).flatMap((to, index) => {
    const from = points[index];
    return from === undefined ? [] : [{ from, to }];
  });
}

/** The last part is preferred, then the first one, then those in between. */
function wishesOf(own: readonly Piece[], obstacles: readonly Rect[]): Wish[] {
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) return [];
  const wishes: [Piece, number][] = [
    [last, lengthOf(last) - STUB - REACH - 2],
    [first, STUB + REACH + 2],
    ...own.slice(1, -1).map((piece): [Piece, number] => [piece, lengthOf(piece) / 2]),
  ];
  return wishes.map(([piece, at]) => ({ piece, at, free: freeOf(piece, obstacles) }));
}

function freeOf(piece: Piece, obstacles: readonly Rect[]): Span[] {
  const blocked: Span[] = [];
  for (const box of obstacles) block(piece, box, blocked);
  return freeSpans({ from: 0, to: lengthOf(piece) }, blocked);
}

function roomOf(wishes: readonly Wish[]): number {
  return wishes.reduce((sum, { free }) => sum + free.reduce((length, { from, to }) => length + to - from, 0), 0);
}

function findPlace(wishes: readonly Wish[], adds: readonly Rect[]): Point | null {
  for (const { piece, at, free } of wishes) {
    const blocked: Span[] = [];
    for (const box of adds) block(piece, box, blocked);
    const place = nearest(
      at,
      free.flatMap((span) => freeSpans(span, blocked)),
    );
    if (place !== null) return pointOn(piece, place);
  }
  return null;
}

function nearest(wish: number, free: readonly Span[]): number | null {
  let best: number | null = null;
  for (const { from, to } of free) {
    const at = Math.min(Math.max(wish, from), to);
    if (best === null || Math.abs(at - wish) < Math.abs(best - wish)) best = at;
  }
  return best;
}

/** Adds the part of the piece on which a button would touch the box. Most boxes are far away, so they are refused first. */
function block({ from, to }: Piece, box: Rect, blocked: Span[]): void {
  if (box.x > Math.max(from.x, to.x) + REACH || box.x + box.width < Math.min(from.x, to.x) - REACH) return;
  if (box.y > Math.max(from.y, to.y) + REACH || box.y + box.height < Math.min(from.y, to.y) - REACH) return;
  const [across, along] = from.x === to.x ? (["x", "y"] as const) : (["y", "x"] as const);
  const size = (axis: "x" | "y") => (axis === "x" ? box.width : box.height);
  const isBeside = box[across] < from[across] + REACH && box[across] + size(across) > from[across] - REACH;
  if (!isBeside) return;
  const direction = Math.sign(to[along] - from[along]);
  const ends = [box[along] - REACH, box[along] + size(along) + REACH].map((place) => (place - from[along]) * direction);
  blocked.push(spanBetween(ends[0] ?? 0, ends[1] ?? 0));
}

function boxOf({ from, to }: Piece): Rect {
  const { from: x, to: right } = spanBetween(from.x, to.x);
  const { from: y, to: bottom } = spanBetween(from.y, to.y);
  return { x, y, width: right - x, height: bottom - y };
}

function lengthOf({ from, to }: Piece): number {
  return Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
}

function pointOn({ from, to }: Piece, at: number): Point {
  return { x: from.x + Math.sign(to.x - from.x) * at, y: from.y + Math.sign(to.y - from.y) * at };
}
