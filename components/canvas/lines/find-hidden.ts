import type { Point } from "@/components/canvas/document/dimensions";
import { type Span, spanBetween } from "@/components/canvas/lines/free-space";
import type { PlannedLine } from "@/components/canvas/lines/line-plan";
import { LANE_GAP } from "@/components/canvas/lines/line-sizes";

interface Upright extends Span {
  x: number;
  line: PlannedLine;
}

interface RoutedLine {
  line: PlannedLine;
  points: readonly Point[];
}

/**
 * Returns the lines that must make a detour, because they run along another line with which they share neither a port
 * nor a target.
 * @param detoured lines that already make one: then the other line of the two must
 */
export function findHidden(lines: readonly RoutedLine[], detoured: ReadonlySet<string>): string[] {
  const pieces = lines.flatMap(({ line, points }) => uprightPieces(line, points)).sort((a, b) => a.x - b.x);
  const hidden = new Set<string>();
  for (const [index, piece] of pieces.entries()) {
    for (let next = index + 1; next < pieces.length; next += 1) {
      const other = pieces[next];
      if (other === undefined || other.x - piece.x >= LANE_GAP) break;
      const isRelated = other.line.portKey === piece.line.portKey || other.line.target === piece.line.target;
      if (!isRelated && other.from < piece.to && piece.from < other.to)
        hidden.add(bentOf(piece, other, detoured).line.id);
    }
  }
  return [...hidden].filter((id) => !detoured.has(id));
}

/** Of two lines, the one with more room for a detour. */
function bentOf(a: Upright, b: Upright, detoured: ReadonlySet<string>): Upright {
  if (detoured.has(a.line.id)) return b;
  if (detoured.has(b.line.id)) return a;
  return distanceOf(a) > distanceOf(b) ? a : b;
}

function distanceOf({ line: { from, to } }: Upright): number {
  return Math.abs(to.x - from.x);
}

function uprightPieces(line: PlannedLine, points: readonly Point[]): Upright[] {
  return points.slice(1).flatMap((to, index) => {
    const from = points[index];
    return from === undefined || from.x !== to.x ? [] : [{ ...spanBetween(from.y, to.y), x: to.x, line }];
  });
}
