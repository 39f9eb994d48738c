import type { Point } from "@/components/canvas/document/dimensions";
import { ADD_ROOM, ADD_TARGET, LABEL_GAP, STUB } from "@/components/canvas/lines/line-sizes";
import type { Rect } from "@/components/canvas/lines/orientation";

/** The contents of one frame, read from top to bottom: the input of routing. */
export interface LinePlan {
  cards: ReadonlyMap<string, Rect>;
  ports: readonly PlannedPort[];
  lines: readonly PlannedLine[];
}

/** The label below a port: its extent across and along the line, and how far its middle is from the line. */
export interface PortLabel {
  across: number;
  along: number;
  shift: number;
  /** Where its text is, if it needs less of the height and may be wider, because the next ports have theirs above or below. */
  row?: { start: number; width: number };
}

export interface PlannedPort extends Point {
  /** Identifies the port in the frame. */
  key: string;
  cardId: string;
  label: PortLabel | null;
  /** True if the port shows an add button instead of a line. */
  isOpen: boolean;
  /** True if the button of an open port appears only on demand, so that lines need not avoid it. */
  isHidden: boolean;
}

export interface PlannedLine {
  id: string;
  portKey: string;
  source: string;
  target: string;
  from: Point;
  to: Point;
}

/** A part of the drawing that a line must not pass through, unless it belongs to the line's own port or target. */
export interface Obstacle extends Rect {
  owner: string;
  /** Minimum distance of a line. */
  clearance: number;
}

/** The plan with everything that routing reads for each line. */
export interface Terrain {
  plan: LinePlan;
  /** Straight part below each port: its label, and an add button if no other part of the line can hold one. */
  drops: ReadonlyMap<string, number>;
  /** Straight part above each target. */
  rises: ReadonlyMap<string, number>;
  /** Number of lines per port and per target. */
  fanOut: ReadonlyMap<string, number>;
  fanIn: ReadonlyMap<string, number>;
  obstacles: readonly Obstacle[];
}

const ZONE_CLEARANCE = 3;

export function surveyPlan(plan: LinePlan, cardClearance: number): Terrain {
  const fanOut = countBy(plan.lines, ({ portKey }) => portKey);
  const fanIn = countBy(plan.lines, ({ target }) => target);
  const joined = new Set(
    plan.lines.filter(({ portKey, target }) => fanOut.get(portKey) === 1 && (fanIn.get(target) ?? 0) > 1).map(portOf),
  );
  const drops = new Map(plan.ports.map((port) => [port.key, dropOf(port, joined.has(port.key))]));
  const rises = new Map([...fanIn].map(([target, count]) => [target, count === 1 ? STUB + ADD_ROOM : STUB]));
  const obstacles: Obstacle[] = [];
  for (const [owner, box] of plan.cards) obstacles.push({ ...box, owner, clearance: cardClearance });
  for (const port of plan.ports) {
    if (!port.isHidden && (port.isOpen || fanOut.has(port.key))) obstacles.push(zoneBelow(port, drops));
  }
  for (const [target, rise] of rises) {
    const box = plan.cards.get(target);
    if (box !== undefined && fanIn.get(target) === 1) obstacles.push(zoneAbove(target, box, rise));
  }
  return { plan, drops, rises, fanOut, fanIn, obstacles };
}

function portOf({ portKey }: PlannedLine): string {
  return portKey;
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

function dropOf({ label, isOpen }: PlannedPort, isJoined: boolean): number {
  const labelEnd = label === null ? (isOpen ? LABEL_GAP : 0) : LABEL_GAP + label.along;
  return labelEnd + (isOpen || isJoined ? ADD_ROOM : 0) + STUB;
}

function zoneBelow({ key, x, y, label }: PlannedPort, drops: ReadonlyMap<string, number>): Obstacle {
  const { across, shift } = label ?? { across: 0, shift: 0 };
  const left = Math.min(-ADD_TARGET / 2, shift - across / 2);
  const right = Math.max(ADD_TARGET / 2, shift + across / 2);
  const height = (drops.get(key) ?? STUB) - STUB + 4;
  return { x: x + left, y, width: right - left, height, owner: key, clearance: ZONE_CLEARANCE };
}

function zoneAbove(target: string, box: Rect, rise: number): Obstacle {
  const x = box.x + box.width / 2 - ADD_TARGET / 2;
  return { x, y: box.y - rise + 4, width: ADD_TARGET, height: rise - 4, owner: target, clearance: ZONE_CLEARANCE };
}
