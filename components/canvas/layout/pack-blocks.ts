import { NODE_GAP } from "@/components/canvas/document/dimensions";
import type { PartEdge, PartGraph } from "@/components/canvas/layout/part-graph";
import { freeSpans, type Span } from "@/components/canvas/lines/free-space";
import { LANE_TO_CARD, LANE_TO_LANE } from "@/components/canvas/lines/line-sizes";

interface Extent extends Span {
  isLane: boolean;
}

/** A step and all steps that only it leads to, placed relative to the middle of the step. */
interface Block {
  middles: Map<string, number>;
  /** What it occupies in each row. */
  rows: Map<number, Extent[]>;
}

/**
 * Returns the horizontal middle of each step. Branches are side by side in the order of their ports, at equal distances
 * from their step; a line that skips rows has a lane between them; where branches meet, the next step is again below
 * the step that they started from.
 * @param widths by step
 */
export function packBlocks(part: PartGraph, widths: ReadonlyMap<string, number>): Map<string, number> {
  const inner = Map.groupBy(part.order, (id) => part.dominators.get(id) ?? null);
  const blocks = new Map<string, Block>();
  for (const id of part.order.toReversed()) {
    const own = (inner.get(id) ?? []).map((child) => [child, blocks.get(child) ?? emptyBlock()] as const);
    blocks.set(id, packBlock(part, id, widths.get(id) ?? 0, new Map(own)));
  }
  const whole = emptyBlock();
  for (const id of part.roots) {
    const block = blocks.get(id);
    if (block !== undefined) place(whole, block, leftmost(whole, block));
  }
  const joins = (inner.get(null) ?? []).filter((id) => part.arriving.has(id));
  for (const id of joins) placeJoin(part, whole, id, blocks.get(id) ?? emptyBlock(), new Map());
  return whole.middles;
}

function emptyBlock(): Block {
  return { middles: new Map(), rows: new Map() };
}

function packBlock(part: PartGraph, id: string, width: number, inner: ReadonlyMap<string, Block>): Block {
  const row = part.ranks.get(id) ?? 0;
  const block: Block = {
    middles: new Map([[id, 0]]),
    rows: new Map([[row, [{ from: -width / 2, to: width / 2, isLane: false }]]]),
  };
  const isJoin = (child: string) => new Set(part.arriving.get(child)?.map(({ source }) => source)).size > 1;
  const fan: { edge: PartEdge; block: Block }[] = [];
  const fanned = new Set<string>();
  for (const edge of part.leaving.get(id) ?? []) {
    if (fanned.has(edge.target)) continue;
    const child = inner.get(edge.target);
    const branch = child !== undefined && !isJoin(edge.target) ? child : laneOf(part, edge);
    if (branch === null) continue;
    fanned.add(edge.target);
    fan.push({ edge, block: branch });
  }
  const lanes = placeFan(block, fan);
  for (const [child, join] of inner)
    if (!fanned.has(child) || isJoin(child)) placeJoin(part, block, child, join, lanes);
  return block;
}

/** The room of a line that skips rows; null if it skips none. */
function laneOf({ ranks }: PartGraph, { source, target }: PartEdge): Block | null {
  const rows = new Map<number, Extent[]>();
  for (let row = (ranks.get(source) ?? 0) + 1; row < (ranks.get(target) ?? 0); row += 1)
    rows.set(row, [{ from: 0, to: 0, isLane: true }]);
  return rows.size === 0 ? null : { middles: new Map(), rows };
}

/** Places the branches of a step side by side and returns the places of lanes, by the edge that runs in them. */
function placeFan(block: Block, fan: readonly { edge: PartEdge; block: Block }[]): Map<PartEdge, number> {
  const ordinary = fan.filter(({ edge }) => !edge.isFailure);
  const places = spread(ordinary.map((branch) => branch.block));
  const lanes = new Map<PartEdge, number>();
  for (const [index, branch] of ordinary.entries()) {
    const at = places[index] ?? 0;
    place(block, branch.block, at);
    lanes.set(branch.edge, at);
  }
  for (const branch of fan) {
    if (!branch.edge.isFailure) continue;
    // The way of success keeps the place below the step, even while nothing is there.
    const main = [...branch.block.rows.keys()].map((row): [number, Extent[]] => [
      row,
      [{ from: 0, to: 0, isLane: true }],
    ]);
    const around = { middles: new Map(), rows: new Map(main) };
    place(around, block, 0);
    const at = leftmost(around, branch.block);
    place(block, branch.block, at);
    lanes.set(branch.edge, at);
  }
  return lanes;
}

/** Returns the places of blocks side by side, mirrored around 0. */
function spread(blocks: readonly Block[]): number[] {
  const row = emptyBlock();
  const places: number[] = [];
  for (const block of blocks) {
    const at = places.length === 0 ? 0 : leftmost(row, block);
    place(row, block, at);
    places.push(at);
  }
  const gaps = places.slice(1).map((at, index) => at - (places[index] ?? 0));
  const even = gaps.map((gap, index) => Math.max(gap, gaps[gaps.length - 1 - index] ?? 0));
  const width = even.reduce((sum, gap) => sum + gap, 0);
  let at = -width / 2;
  return places.map((_, index) => {
    at += index === 0 ? 0 : (even[index - 1] ?? 0);
    return at;
  });
}

/**
 * Places a step that several branches lead to: below their common step if that is among or between them, else in their
 * middle.
 */
function placeJoin(part: PartGraph, block: Block, id: string, join: Block, lanes: ReadonlyMap<PartEdge, number>): void {
  const arrivals = (part.arriving.get(id) ?? []).map((edge) => lanes.get(edge) ?? block.middles.get(edge.source) ?? 0);
  const [left, right] = [Math.min(...arrivals), Math.max(...arrivals)];
  const wish = left < 1 && right > -1 ? 0 : (left + right) / 2;
  place(block, join, nearest(block, join, wish));
}

/** Returns the place nearest to the wish where the block overlaps nothing. */
function nearest(around: Block, block: Block, wish: number): number {
  const free = freeSpans({ from: -1e6, to: 1e6 }, blockedPlaces(around, block));
  let best = wish;
  let distance = Number.POSITIVE_INFINITY;
  for (const { from, to } of free) {
    const at = Math.min(Math.max(wish, from), to);
    if (Math.abs(at - wish) < distance) [best, distance] = [at, Math.abs(at - wish)];
  }
  return best;
}

/** Returns the place of a block to the right of everything in its rows. */
function leftmost(around: Block, block: Block): number {
  return Math.max(0, ...blockedPlaces(around, block).map(({ to }) => to));
}

function blockedPlaces(around: Block, block: Block): Span[] {
  const blocked: Span[] = [];
  for (const [row, extents] of block.rows) {
    for (const other of around.rows.get(row) ?? []) {
      for (const extent of extents) {
        const gap = gapBetween(extent, other);
        blocked.push({ from: other.from - gap - extent.to, to: other.to + gap - extent.from });
      }
    }
  }
  return blocked;
}

function gapBetween(a: Extent, b: Extent): number {
  if (a.isLane && b.isLane) return LANE_TO_LANE;
  return a.isLane || b.isLane ? LANE_TO_CARD : NODE_GAP;
}

function place(block: Block, added: Block, at: number): void {
  for (const [id, middle] of added.middles) block.middles.set(id, middle + at);
  for (const [row, extents] of added.rows) {
    const moved = extents.map(({ from, to, isLane }) => ({ from: from + at, to: to + at, isLane }));
    block.rows.set(row, [...(block.rows.get(row) ?? []), ...moved]);
  }
}
