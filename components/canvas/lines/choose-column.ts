import { freeHeights, isClear, type Span, spanBetween } from "@/components/canvas/lines/free-space";
import type { Obstacle, PlannedLine, Terrain } from "@/components/canvas/lines/line-plan";
import { CARD_CLEARANCE, LANE_GAP, PASSING_DISTANCE, STUB } from "@/components/canvas/lines/line-sizes";

/**
 * The course of a line: down from its port to a first bend, across to the column, along the column to a second bend,
 * and across to its target. A bend is null if the column is the port's or the target's own.
 */
export interface Course {
  line: PlannedLine;
  column: number;
  /** The heights that the bend may have. */
  first: Span | null;
  second: Span | null;
}

/** The vertical part of a course between its bends. */
export interface LineColumn extends Span {
  x: number;
  portKey: string;
  target: string;
}

/** What a bend costs, compared with a pixel of length. */
const BEND_COST = 60;
/** How far past a card a line searches for a bend when it leads back up. */
const SEARCH = 4_000;

/** How much room a line leaves to everything else. */
interface Care {
  obstacles: readonly Obstacle[];
  /** Straight parts at the port and above the target. */
  drop: number;
  rise: number;
}

/** Between cards that a person has placed close together: no room for labels and buttons, then hardly any at all. */
const CLOSE = { clearance: 4, straight: STUB };
const TIGHT = { clearance: 1, straight: 6 };

/**
 * Returns the shortest course that passes behind no card, and shares no column with another line while there is room.
 * @param avoidsPorts true if the line must also leave the columns at both of its ends when another port is near them
 */
export function chooseColumn(
  line: PlannedLine,
  terrain: Terrain,
  taken: readonly LineColumn[],
  avoidsPorts = false,
): Course {
  const drop = terrain.drops.get(line.portKey) ?? STUB;
  const rise = terrain.rises.get(line.target) ?? STUB;
  const fits = (course: Course) => {
    const isOwn = course.column === line.from.x || course.column === line.to.x;
    return !isTaken(course, taken) && ((isOwn && !avoidsPorts) || !isNearPort(course, terrain));
  };
  return (
    findCourse(line, { obstacles: obstaclesFor(line, terrain), drop, rise }, terrain, taken, fits) ??
    findCourse(line, careOf(terrain, CLOSE), terrain, taken, (course) => !isTaken(course, taken)) ??
    findCourse(line, careOf(terrain, TIGHT), terrain, [], () => true) ??
    squeeze(line)
  );
}

function careOf({ obstacles }: Terrain, { clearance, straight }: typeof CLOSE): Care {
  const cards = obstacles.filter((obstacle) => obstacle.clearance === CARD_CLEARANCE);
  return { obstacles: cards.map((card) => ({ ...card, clearance })), drop: straight, rise: straight };
}

function findCourse(
  line: PlannedLine,
  care: Care,
  terrain: Terrain,
  taken: readonly LineColumn[],
  fits: (course: Course) => boolean,
): Course | null {
  const near = care.obstacles.filter((box) => overlapsHeights(box, line));
  const candidates = candidatesFor(line, near, taken)
    .map((column) => ({ column, cost: costOf(line, column, terrain) }))
    .sort((a, b) => a.cost - b.cost || a.column - b.column);
  for (const { column } of candidates) {
    const course = follow(line, column, care);
    if (course !== null && fits(course)) return course;
  }
  return null;
}

export function courseColumn({ line, column, first, second }: Course): LineColumn {
  const top = first?.from ?? line.from.y;
  const bottom = second?.to ?? line.to.y;
  return { ...spanBetween(top, bottom), x: column, portKey: line.portKey, target: line.target };
}

/** A line may touch the zone of its own port, and the zone above its own target. */
function obstaclesFor({ portKey, source, target }: PlannedLine, { obstacles }: Terrain): Obstacle[] {
  return obstacles.filter(
    ({ owner, clearance }) =>
      owner !== portKey && ((owner !== source && owner !== target) || clearance === CARD_CLEARANCE),
  );
}

function overlapsHeights({ y, height }: Obstacle, { from, to }: PlannedLine): boolean {
  return y <= Math.max(from.y, to.y) && y + height >= Math.min(from.y, to.y);
}

function candidatesFor({ from, to }: PlannedLine, near: readonly Obstacle[], taken: readonly LineColumn[]): number[] {
  const columns = new Set([from.x, to.x]);
  for (const { x, width, clearance } of near) {
    columns.add(x - clearance).add(x + width + clearance);
    if (clearance === CARD_CLEARANCE) columns.add(x - PASSING_DISTANCE).add(x + width + PASSING_DISTANCE);
  }
  for (const { x } of taken) columns.add(x - LANE_GAP).add(x + LANE_GAP);
  return [...columns];
}

function costOf({ from, to, portKey, target }: PlannedLine, column: number, { fanOut, fanIn }: Terrain): number {
  const bends = Number(column !== from.x) + Number(column !== to.x);
  const length = Math.abs(from.x - column) + Math.abs(to.x - column);
  // A jog that is too short for two rounded corners.
  const isCramped = [from.x, to.x].some((x) => x !== column && Math.abs(x - column) < STUB);
  // Branches split soon after their port; lines join soon before their step.
  const isFan = (fanOut.get(portKey) ?? 0) > 1;
  const isJoin = (fanIn.get(target) ?? 0) > 1 && !isFan;
  const isUnusual = from.x !== to.x && column === (isJoin ? to.x : from.x);
  return length + BEND_COST * bends + (isCramped ? BEND_COST : 0) + (isUnusual ? 10 : 0);
}

function follow(line: PlannedLine, column: number, { obstacles, drop, rise }: Care): Course | null {
  const { from, to } = line;
  const top = from.y + drop;
  const bottom = to.y - rise;
  const isDown = bottom >= top;
  // A target that is below, but too close for bends, is no reason to lead around cards.
  if (!isDown && to.y >= from.y) return followStraight(line, column, obstacles);
  const firstRange = isDown ? { from: top, to: bottom } : { from: top, to: top + SEARCH };
  const first = column === from.x ? null : freeHeights(spanBetween(from.x, column), firstRange, obstacles)[0];
  if (first === undefined) return null;
  const secondRange = isDown ? { from: first?.from ?? top, to: bottom } : { from: bottom - SEARCH, to: bottom };
  const second = column === to.x ? null : freeHeights(spanBetween(column, to.x), secondRange, obstacles).at(-1);
  if (second === undefined) return null;
  if (!isDown && (first === null || second === null)) return null;
  const course = { line, column, first, second };
  const isFree =
    (first === null || isClear(from.x, { from: from.y, to: first.from }, obstacles)) &&
    (second === null || isClear(to.x, { from: second.to, to: to.y }, obstacles)) &&
    isClear(column, courseColumn(course), obstacles);
  return isFree ? course : null;
}

function followStraight(line: PlannedLine, column: number, obstacles: readonly Obstacle[]): Course | null {
  const course = { line, column, first: null, second: null };
  const isStraight = column === line.from.x && column === line.to.x;
  return isStraight && isClear(column, courseColumn(course), obstacles) ? course : null;
}

function isTaken(course: Course, taken: readonly LineColumn[]): boolean {
  const { x, from, to, portKey, target } = courseColumn(course);
  return taken.some(
    (other) =>
      Math.abs(other.x - x) < LANE_GAP &&
      (other.x !== x || (other.portKey !== portKey && other.target !== target)) &&
      other.from < to &&
      from < other.to,
  );
}

/** How far the straight part at a port may be extended by bends of other lines that come before its own. */
const STUB_GROWTH = 8 * LANE_GAP;

/** A column next to a port would run along the line of that port, at least where they start. */
function isNearPort(course: Course, { plan, drops, rises, fanIn }: Terrain): boolean {
  const { line, column } = course;
  const { from, to } = courseColumn(course);
  const isNear = (x: number, top: number, bottom: number) =>
    Math.abs(x - column) < LANE_GAP && top < to && from < bottom;
  const isAtPort = plan.ports.some(
    ({ key, x, y }) => key !== line.portKey && isNear(x, y, y + (drops.get(key) ?? STUB) + STUB_GROWTH),
  );
  if (isAtPort) return true;
  for (const target of fanIn.keys()) {
    const box = plan.cards.get(target);
    if (box === undefined || target === line.target) continue;
    const top = box.y - (rises.get(target) ?? STUB) - STUB_GROWTH;
    if (isNear(box.x + box.width / 2, top, box.y)) return true;
  }
  return false;
}

/** Cards that touch leave no room for a line: it then takes the shortest course. */
function squeeze(line: PlannedLine): Course {
  const { from, to } = line;
  const middle = (from.y + to.y) / 2;
  const isStraight = from.x === to.x && to.y >= from.y;
  return { line, column: to.x, first: isStraight ? null : { from: middle, to: middle }, second: null };
}
