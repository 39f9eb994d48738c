import { EDGE_RADIUS, type Point } from "@/components/canvas/document/dimensions";

/** The length of a rounded corner with radius 1: a quadratic curve between two legs of length 1. */
const CORNER_LENGTH = 1.623_225;

/** Returns the length of the rounded path. */
export function pathLength(points: readonly Point[]): number {
  let length = 0;
  for (const [index, point] of points.entries()) {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (before === undefined) continue;
    length += distance(before, point);
    if (after !== undefined) length -= (2 - CORNER_LENGTH) * cornerRadius(before, point, after);
  }
  return length;
}

/** Returns the SVG path of a line through its corners, which are rounded as far as the parts next to them allow. */
export function roundedPath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  const parts = [`M${first.x} ${first.y}`];
  for (const [index, corner] of rest.entries()) {
    const before = points[index] ?? first;
    const after = rest[index + 1];
    if (after === undefined) {
      parts.push(`L${corner.x} ${corner.y}`);
      continue;
    }
    const radius = cornerRadius(before, corner, after);
    const start = towards(corner, before, radius);
    const end = towards(corner, after, radius);
    parts.push(`L${start.x} ${start.y}Q${corner.x} ${corner.y} ${end.x} ${end.y}`);
  }
  return parts.join("");
}

function cornerRadius(before: Point, corner: Point, after: Point): number {
  return Math.min(EDGE_RADIUS, distance(before, corner) / 2, distance(corner, after) / 2);
}

function distance(a: Point, b: Point): number {
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
}

function towards(from: Point, to: Point, length: number): Point {
  return { x: from.x + Math.sign(to.x - from.x) * length, y: from.y + Math.sign(to.y - from.y) * length };
}
