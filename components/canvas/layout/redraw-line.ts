import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition } from "#lib/contract/workflow/graph";
import type { Point } from "@/components/canvas/document/dimensions";
import type { Offsets } from "@/components/canvas/document/drag-offsets";
import { frameOfNode, originOf } from "@/components/canvas/document/frames";
import type { DrawnLine } from "@/components/canvas/layout/draw-lines";
import { type DrawingView, frameLines } from "@/components/canvas/layout/frame-lines";
import { nodeSize } from "@/components/canvas/layout/node-size";
import { type LinePlan, type PlannedLine, surveyPlan, type Terrain } from "@/components/canvas/lines/line-plan";
import { CARD_CLEARANCE } from "@/components/canvas/lines/line-sizes";
import { turnPoint } from "@/components/canvas/lines/orientation";
import { routeAlone } from "@/components/canvas/lines/route-lines";

interface Dragging extends DrawingView {
  definition: Definition;
  dragOffsets: Offsets;
}

const NOWHERE: Point = { x: 0, y: 0 };
/** The frames with their cards at the current positions, for the current frame of a drag. */
const terrains = new WeakMap<Offsets, Map<string, Terrain>>();

/** Returns the line of a card that is being dragged: routed around cards, without regard to other lines. */
export function redrawLine(state: Dragging, id: string, line: DrawnLine): DrawnLine {
  const { definition, dragOffsets, orientation } = state;
  const edge = definition.edges.find((candidate) => candidate.id === id);
  if (edge === undefined) return line;
  const from = dragOffsets[edge.source] ?? NOWHERE;
  const to = dragOffsets[edge.target] ?? NOWHERE;
  const label = line.label === null ? null : { ...line.label, ...add(line.label, from) };
  if (from.x === to.x && from.y === to.y)
    return { ...line, points: line.points.map((point) => add(point, from)), label, add: null };
  const frame = frameOfNode(definition, edge.source);
  const terrain = terrainOf(state, frame);
  const planned = terrain.plan.lines.find((candidate) => candidate.id === id);
  if (planned === undefined) return line;
  const origin = add(originOf(definition, frame), dragOffsets[frame] ?? NOWHERE);
  const points = routeAlone(planned, terrain).map((point) => add(turnPoint(point, orientation), origin));
  return { ...line, points, label, add: null };
}

function add(a: Point, b: Point): Point {
  return { x: a.x + b.x, y: a.y + b.y };
}

function terrainOf(state: Dragging, frame: string): Terrain {
  const known = terrains.get(state.dragOffsets) ?? new Map<string, Terrain>();
  terrains.set(state.dragOffsets, known);
  const before = known.get(frame);
  if (before !== undefined) return before;
  const { plan } = frameLines(state.definition, frame, { ...state, nodeSize });
  const moved = surveyPlan(movePlan(plan, state.dragOffsets, state.orientation), CARD_CLEARANCE);
  known.set(frame, moved);
  return moved;
}

/** Cards inside a moved loop keep their positions in it, so only the cards of one frame count. */
function movePlan({ cards, ports, lines }: LinePlan, offsets: Offsets, orientation: Orientation): LinePlan {
  const shifts = new Map<string, Point>();
  for (const id of cards.keys()) {
    const offset = offsets[id];
    if (offset !== undefined) shifts.set(id, turnPoint(offset, orientation));
  }
  const shift = (id: string) => shifts.get(id) ?? NOWHERE;
  const moveLine = (line: PlannedLine): PlannedLine => ({
    ...line,
    from: add(line.from, shift(line.source)),
    to: add(line.to, shift(line.target)),
  });
  return {
    cards: new Map([...cards].map(([id, box]) => [id, { ...box, ...add(box, shift(id)) }])),
    ports: ports.map((port) => ({ ...port, ...add(port, shift(port.cardId)) })),
    lines: lines.map((line) => (shifts.has(line.source) || shifts.has(line.target) ? moveLine(line) : line)),
  };
}
