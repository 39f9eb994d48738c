import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import type { Branch } from "#lib/core/steps/define-step-kind";
import { branchesOf } from "@/components/canvas/document/branches-of";
import { CARD_WIDTH, type Point, type Size } from "@/components/canvas/document/dimensions";
import { framesOf } from "@/components/canvas/document/frames";
import type { LinePlan, PlannedLine, PlannedPort, PortLabel } from "@/components/canvas/lines/line-plan";
import {
  LABEL_ROW,
  LABEL_SPACING,
  LABEL_THICKNESS,
  labelAlong,
  labelLength,
  PORT_RADIUS,
} from "@/components/canvas/lines/line-sizes";
import { type Rect, turnBox } from "@/components/canvas/lines/orientation";
import { isCrowded, isUpright, portOffset, portPlace } from "@/components/canvas/lines/port-places";

export interface FramePlan extends LinePlan {
  /** The text of each port's label, by the key of the port. */
  labels: ReadonlyMap<string, string>;
}

/** Returns a frame's cards, ports and lines in the frame's own coordinates, turned so that they read downwards. */
export function planFrame(
  definition: Definition,
  frame: string,
  orientation: Orientation,
  sizeOf: (node: GraphNode) => Size,
): FramePlan {
  const body = framesOf(definition).bodyOf.get(frame) ?? [];
  const cards = new Map(
    body.map((node) => [node.id, turnBox({ ...node.position, ...sizeOf(node) }, orientation)] as const),
  );
  const leaving = Map.groupBy(definition.edges, ({ source }) => source);
  const labels = new Map<string, string>();
  const ports = body.flatMap((node) => {
    const box = cards.get(node.id);
    return box === undefined
      ? []
      : planPorts(definition, node, { box, leaving: leaving.get(node.id) ?? [], orientation, labels });
  });
  return { cards, ports, lines: planLines(definition, cards, ports), labels };
}

export function portKey(nodeId: string, handle: string | null): string {
  return `${nodeId} ${handle ?? ""}`;
}

interface PortsInput {
  box: Rect;
  leaving: Definition["edges"];
  orientation: Orientation;
  labels: Map<string, string>;
}

function planPorts(
  definition: Definition,
  node: GraphNode,
  { box, leaving, orientation, labels }: PortsInput,
): PlannedPort[] {
  const outputs = branchesOf(node, leaving);
  const used = new Set(
    leaving.filter((edge) => isInside(definition, edge)).map((edge) => portKey(node.id, edge.sourceHandle ?? null)),
  );
  return outputs.map((output, index): PlannedPort => {
    const key = portKey(node.id, output.handle);
    const isOpen = !used.has(key);
    if (output.label !== "") labels.set(key, output.label);
    const { x, y, label } = describePort({ outputs, orientation, length: box.width }, index, isOpen);
    const place = { x: box.x + x, y: box.y + box.height + y };
    return { key, cardId: node.id, ...place, label, isOpen, isHidden: isOpen && output.isFailure === true };
  });
}

interface DescribedPort extends Point {
  label: PortLabel | null;
  /** True if the label is written from top to bottom. */
  isUpright: boolean;
}

/** The ports of one side of a card. */
interface Side {
  outputs: readonly Branch[];
  orientation: Orientation;
  /** Without it, a port is at 0. */
  length?: number;
}

/** Returns a port relative to the end of its card's side, turned like the plan. */
export function describePort(side: Side, index: number, isOpen: boolean): DescribedPort {
  const { outputs, orientation, length } = side;
  const place = length === undefined ? 0 : portOffset(portPlace(outputs, index, orientation), length);
  // Next to a card there is no room for a label that only some steps need; the button's name says it.
  const isSilent = isOpen && outputs[index]?.isFailure === true && orientation === "horizontal";
  const label = isSilent || outputs[index]?.label === "" ? null : labelOf(side, index);
  return { x: place, y: PORT_RADIUS, label, isUpright: isUpright(outputs, orientation) };
}

/** How far the label of a failure, in the corner of a card, reaches back towards the other labels. */
const FAILURE_REACH = 12;

function labelOf({ outputs, orientation, length = CARD_WIDTH }: Side, index: number): PortLabel {
  const output = outputs[index];
  const upright = isUpright(outputs, orientation);
  // All labels of a card have the same room, so that its lines bend at even heights.
  const peers = outputs.filter(({ isFailure }) => isFailure === output?.isFailure);
  const along = Math.max(...peers.map(({ label }) => labelAlong(label, orientation, upright)));
  if (orientation === "horizontal" || upright) return { across: LABEL_THICKNESS, along, shift: 0 };
  const across = labelLength(output?.label ?? "");
  if (output?.isFailure) return { across, along, shift: across / 2 - FAILURE_REACH };
  const room = roomAround(outputs, index, length);
  if (!isCrowded(outputs, orientation)) return { across: Math.min(across, room), along, shift: 0 };
  // Wider than the estimate where there is room: no line needs the space, and a short word of wide letters fits.
  const row = { start: (index % 2) * LABEL_ROW, width: Math.min(across + 2 * LABEL_SPACING, room) };
  return { across: LABEL_THICKNESS, along: LABEL_ROW + along, shift: 0, row };
}

/** Returns the width that a label may have without touching those of the other ports, or their lines. */
function roomAround(outputs: readonly Branch[], index: number, length: number): number {
  const places = outputs.map((_, at) => portOffset(portPlace(outputs, at, "vertical"), length));
  const own = places[index] ?? 0;
  const hasRows = isCrowded(outputs, "vertical");
  const rooms = outputs.map(({ isFailure }, at) => {
    const distance = Math.abs((places[at] ?? 0) - own);
    if (at === index) return length;
    if (isFailure) return 2 * (distance - FAILURE_REACH) - LABEL_SPACING;
    return hasRows ? 2 * (distance - LABEL_SPACING) : distance - LABEL_SPACING;
  });
  return Math.min(...rooms);
}

function isInside(definition: Definition, { source, target }: Definition["edges"][number]): boolean {
  const { frameOf } = framesOf(definition);
  return frameOf.has(target) && frameOf.get(source) === frameOf.get(target);
}

/** A line that is almost straight is drawn straight, because a bend would be smaller than a corner. */
const STRAIGHT_TOLERANCE = 2;

/** Lines in the order of the ports, so that the drawing does not depend on the order in which they were drawn. */
function planLines(
  definition: Definition,
  cards: ReadonlyMap<string, Rect>,
  ports: readonly PlannedPort[],
): PlannedLine[] {
  const byPort = Map.groupBy(definition.edges, (edge) => portKey(edge.source, edge.sourceHandle ?? null));
  return ports.flatMap((port) =>
    (byPort.get(port.key) ?? []).flatMap(({ id, source, target }): PlannedLine[] => {
      const box = cards.get(target);
      if (box === undefined) return [];
      const middle = box.x + box.width / 2;
      const x = Math.abs(middle - port.x) <= STRAIGHT_TOLERANCE ? port.x : middle;
      const to = { x, y: box.y - PORT_RADIUS };
      return [{ id, portKey: port.key, source, target, from: { x: port.x, y: port.y }, to }];
    }),
  );
}
