import type { Course } from "@/components/canvas/lines/choose-column";
import type { Span } from "@/components/canvas/lines/free-space";
import type { Terrain } from "@/components/canvas/lines/line-plan";

/** A horizontal part of one or more lines: those of one port share a height, and those of one target. */
export interface Bar {
  across: Span;
  /** The heights that it may have. */
  within: Span;
  /** Where lines meet it from above and from below. */
  ups: number[];
  downs: number[];
  /** True if it prefers to be as low as possible: lines join soon before their step. */
  isLow: boolean;
  portKeys: Set<string>;
  targets: Set<string>;
  y: number;
}

export interface BarsOfLine {
  first: Bar | null;
  second: Bar | null;
}

/** Returns the bars of all courses, and those of each line. */
export function gatherBars(
  courses: readonly Course[],
  terrain: Terrain,
): { bars: Bar[]; ofLine: Map<string, BarsOfLine> } {
  const bars: Bar[] = [];
  const ofLine = new Map<string, BarsOfLine>();
  const groups = new Map<string, Bar[]>();
  const put = (key: string, bar: Bar): Bar => {
    const group = groups.get(key) ?? [];
    const shared = group.find((other) => share(other, bar));
    if (shared !== undefined) return shared;
    groups.set(key, [...group, bar]);
    bars.push(bar);
    return bar;
  };
  for (const course of courses) {
    const { id, portKey, target } = course.line;
    const isFan = (terrain.fanOut.get(portKey) ?? 0) > 1;
    const first = firstBar(course, terrain);
    const second = secondBar(course);
    // The only line of a port joins the others of its target with its one bend.
    const firstKey = isFan || second !== null || first?.isLow === false ? `port ${portKey}` : `target ${target}`;
    ofLine.set(id, {
      first: first && put(firstKey, first),
      second: second && put(`target ${target}`, second),
    });
  }
  return { bars, ofLine };
}

function firstBar({ line, column, first, second }: Course, { fanOut, fanIn }: Terrain): Bar | null {
  if (first === null) return null;
  const { from, to, portKey, target } = line;
  const leadsUp = second !== null && second.to < first.from;
  const isFan = (fanOut.get(portKey) ?? 0) > 1;
  const isJoin = (fanIn.get(target) ?? 0) > 1 && !isFan && column === to.x;
  return {
    across: { from: Math.min(from.x, column), to: Math.max(from.x, column) },
    within: { ...first },
    ups: leadsUp ? [from.x, column] : [from.x],
    downs: leadsUp ? [] : [column],
    isLow: isJoin,
    portKeys: new Set([portKey]),
    targets: new Set([target]),
    y: first.from,
  };
}

function secondBar({ line, column, first, second }: Course): Bar | null {
  if (second === null) return null;
  const { to, portKey, target } = line;
  const leadsUp = first !== null && second.to < first.from;
  return {
    across: { from: Math.min(to.x, column), to: Math.max(to.x, column) },
    within: { ...second },
    ups: leadsUp ? [] : [column],
    downs: leadsUp ? [column, to.x] : [to.x],
    isLow: true,
    portKeys: new Set([portKey]),
    targets: new Set([target]),
    y: second.from,
  };
}

/** Adds a bar to another one, and returns false if they have no height in common. */
function share(shared: Bar, { across, within, ups, downs, portKeys, targets }: Bar): boolean {
  const common = { from: Math.max(shared.within.from, within.from), to: Math.min(shared.within.to, within.to) };
  if (common.from > common.to) return false;
  shared.within = common;
  shared.y = common.from;
  shared.across = {
    from: Math.min(shared.across.from, across.from),
    to: Math.max(shared.across.to, across.to),
  };
  shared.ups.push(...ups);
  shared.downs.push(...downs);
  for (const key of portKeys) shared.portKeys.add(key);
  for (const id of targets) shared.targets.add(id);
  return true;
}
