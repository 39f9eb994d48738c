import type { Obstacle } from "@/components/canvas/lines/line-plan";

/** A range of coordinates. */
export interface Span {
  from: number;
  to: number;
}

/** Returns the parts of `whole` that none of the blocked spans covers, in order. */
export function freeSpans(whole: Span, blocked: readonly Span[]): Span[] {
  const free: Span[] = [];
  let from = whole.from;
  for (const span of blocked.toSorted((a, b) => a.from - b.from)) {
    if (span.to <= from) continue;
    if (span.from > whole.to) break;
    if (span.from >= from) free.push({ from, to: span.from });
    from = span.to;
  }
  if (from <= whole.to) free.push({ from, to: whole.to });
  return free;
}

/** Returns true if a vertical line passes no obstacle. */
export function isClear(x: number, { from, to }: Span, obstacles: readonly Obstacle[]): boolean {
  for (const box of obstacles) {
    const isApart =
      x <= box.x - box.clearance || x >= box.x + box.width + box.clearance || to <= box.y || from >= box.y + box.height;
    if (!isApart) return false;
  }
  return true;
}

/** Returns the heights inside `within` at which a horizontal line between two places passes no obstacle. */
export function freeHeights(across: Span, within: Span, obstacles: readonly Obstacle[]): Span[] {
  const blocked: Span[] = [];
  for (const { x, y, width, height, clearance } of obstacles) {
    if (x + width + clearance <= across.from || x - clearance >= across.to) continue;
    blocked.push({ from: y - clearance, to: y + height + clearance });
  }
  return freeSpans(within, blocked);
}

export function spanBetween(a: number, b: number): Span {
  return a < b ? { from: a, to: b } : { from: b, to: a };
}
