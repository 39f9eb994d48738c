import type { Bar, BarsOfLine } from "@/components/canvas/lines/gather-bars";
import { LANE_GAP } from "@/components/canvas/lines/line-sizes";

const CROSSING = 1;
/** Two lines on the same course look like one, which is worse than any number of crossings. */
const OVERLAP = 100;

/** Gives each bar its height, so that no two of them overlap and as few lines as possible cross. */
export function stackBars(bars: readonly Bar[], ofLine: ReadonlyMap<string, BarsOfLine>): void {
  const order = orderBars(bars, ofLine);
  for (const [index, bar] of order.entries()) {
    bar.y = bar.within.from;
    for (const above of order.slice(0, index)) {
      if (areNear(above, bar)) bar.y = Math.max(bar.y, above.y + LANE_GAP);
    }
    bar.y = Math.min(bar.y, bar.within.to);
  }
  for (const [index, bar] of [...order.entries()].reverse()) {
    if (!bar.isLow) continue;
    let lowest = bar.within.to;
    for (const below of order.slice(index + 1)) {
      if (areNear(below, bar)) lowest = Math.min(lowest, below.y - LANE_GAP);
    }
    bar.y = Math.max(bar.y, lowest);
  }
}

/** Orders bars from top to bottom, those with the fewest reasons to be lower first. */
function orderBars(bars: readonly Bar[], ofLine: ReadonlyMap<string, BarsOfLine>): Bar[] {
  const debts = bars.map(() => 0);
  const owes = bars.map((): [number, number][] => []);
  const before = forcedOrder(ofLine);
  for (const [a, bar] of bars.entries()) {
    for (let b = a + 1; b < bars.length; b += 1) {
      const other = bars[b];
      if (other === undefined || !areNear(bar, other)) continue;
      const loss = costAbove(bar, other, before) - costAbove(other, bar, before);
      if (loss === 0) continue;
      const [upper, lower] = loss < 0 ? [a, b] : [b, a];
      debts[lower] = (debts[lower] ?? 0) + Math.abs(loss);
      owes[upper]?.push([lower, Math.abs(loss)]);
    }
  }
  const order: Bar[] = [];
  const waiting = new Set(bars.keys());
  while (waiting.size > 0) {
    let next = -1;
    for (const index of waiting) if (next === -1 || isEarlier(bars, debts, index, next)) next = index;
    waiting.delete(next);
    const bar = bars[next];
    if (bar !== undefined) order.push(bar);
    for (const [lower, loss] of owes[next] ?? []) debts[lower] = (debts[lower] ?? 0) - loss;
  }
  return order;
}

/** Among equals, a bar that splits comes before one that joins, and the higher one first. */
function isEarlier(bars: readonly Bar[], debts: readonly number[], index: number, other: number): boolean {
  const [a, b] = [bars[index], bars[other]];
  if (a === undefined || b === undefined) return false;
  const byDebt = (debts[index] ?? 0) - (debts[other] ?? 0);
  return (byDebt || a.within.from - b.within.from || Number(a.isLow) - Number(b.isLow) || index - other) < 0;
}

function forcedOrder(ofLine: ReadonlyMap<string, BarsOfLine>): ReadonlyMap<Bar, ReadonlySet<Bar>> {
  const before = new Map<Bar, Set<Bar>>();
  for (const { first, second } of ofLine.values()) {
    if (first === null || second === null || second.within.to < first.within.from) continue;
    before.set(first, (before.get(first) ?? new Set()).add(second));
  }
  return before;
}

function areNear(a: Bar, b: Bar): boolean {
  const isBeside = a.across.from < b.across.to + LANE_GAP && b.across.from < a.across.to + LANE_GAP;
  return isBeside && a.within.from < b.within.to + LANE_GAP && b.within.from < a.within.to + LANE_GAP;
}

/** Returns the cost of drawing `upper` above `lower`. */
function costAbove(upper: Bar, lower: Bar, before: ReadonlyMap<Bar, ReadonlySet<Bar>>): number {
  if (before.get(lower)?.has(upper)) return OVERLAP * OVERLAP;
  let cost = 0;
  for (const x of lower.ups) cost += passCost(x, upper, upper.downs, isRelated(upper, lower));
  for (const x of upper.downs) cost += isInside(x, lower) ? CROSSING : 0;
  return cost;
}

function passCost(x: number, bar: Bar, legs: readonly number[], areRelated: boolean): number {
  if (!areRelated && legs.some((leg) => Math.abs(leg - x) < LANE_GAP)) return OVERLAP;
  return isInside(x, bar) ? CROSSING : 0;
}

function isInside(x: number, { across }: Bar): boolean {
  return x > across.from && x < across.to;
}

/** Lines of one port, or of one target, may share a course. */
function isRelated(a: Bar, b: Bar): boolean {
  return shareAny(a.portKeys, b.portKeys) || shareAny(a.targets, b.targets);
}

function shareAny(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].some((item) => b.has(item));
}
