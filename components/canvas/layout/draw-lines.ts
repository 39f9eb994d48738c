import type { Definition } from "#lib/contract/workflow/graph";
import type { Point } from "@/components/canvas/document/dimensions";
import { framesOf, originOf } from "@/components/canvas/document/frames";
import { type DrawingView, type FrameLines, frameLines } from "@/components/canvas/layout/frame-lines";
import { nodeSize } from "@/components/canvas/layout/node-size";
import type { PlannedPort } from "@/components/canvas/lines/line-plan";
import { LABEL_THICKNESS } from "@/components/canvas/lines/line-sizes";
import { type Rect, turnBox, turnPoint } from "@/components/canvas/lines/orientation";
import { labelBox } from "@/components/canvas/lines/port-parts";

/** A line as it is drawn, in canvas coordinates. */
export interface DrawnLine {
  points: readonly Point[];
  label: DrawnLabel | null;
  /** True if other lines lead to the same step: they then share their last part. */
  isJoined: boolean;
  /** The middle of its add button; null if no part of it belongs to it alone. */
  add: Point | null;
}

export interface DrawnLabel extends Rect {
  text: string;
  /** True if the text is written from top to bottom. */
  isUpright: boolean;
  /** True if the text is in the middle of its room, false if it starts at the port. */
  isCentered: boolean;
}

export type DrawnLines = ReadonlyMap<string, DrawnLine>;

interface Drawn {
  origin: Point;
  lines: DrawnLines;
}

const drawn = new WeakMap<FrameLines, Drawn>();

/**
 * Returns all lines of a definition by edge id.
 * @param last lines that did not change keep their identity
 */
export function drawLines(definition: Definition, view: DrawingView, last: DrawnLines = new Map()): DrawnLines {
  const all = new Map<string, DrawnLine>();
  for (const frame of framesOf(definition).outerFirst) {
    const lines = frameLines(definition, frame, { ...view, nodeSize });
    for (const [id, line] of drawFrame(lines, originOf(definition, frame), view, last)) all.set(id, line);
  }
  return all;
}

function drawFrame(lines: FrameLines, origin: Point, view: DrawingView, last: DrawnLines): DrawnLines {
  const before = drawn.get(lines);
  if (before?.origin.x === origin.x && before.origin.y === origin.y) return before.lines;
  const ports = new Map(lines.plan.ports.map((port) => [port.key, port]));
  const now = new Map<string, DrawnLine>();
  const arriving = Map.groupBy(lines.plan.lines, ({ target }) => target);
  for (const { id, portKey, target } of lines.plan.lines) {
    const isJoined = (arriving.get(target)?.length ?? 0) > 1;
    const line = drawLine(lines, { id, port: ports.get(portKey), isJoined }, origin, view);
    const former = last.get(id);
    now.set(id, former !== undefined && JSON.stringify(former) === JSON.stringify(line) ? former : line);
  }
  drawn.set(lines, { origin, lines: now });
  return now;
}

function drawLine(
  { plan, courses, adds }: FrameLines,
  { id, port, isJoined }: { id: string; port: PlannedPort | undefined; isJoined: boolean },
  origin: Point,
  { orientation }: DrawingView,
): DrawnLine {
  const toCanvas = (point: Point): Point => {
    const { x, y } = turnPoint(point, orientation);
    return { x: x + origin.x, y: y + origin.y };
  };
  const box = port === undefined ? null : labelBox(port);
  const text = plan.labels.get(port?.key ?? "") ?? "";
  const isRow = port?.label?.row !== undefined;
  const isUpright = orientation === "vertical" && port?.label?.across === LABEL_THICKNESS && !isRow;
  const isCentered = orientation === "vertical" && !isUpright;
  const add = adds.get(id);
  return {
    points: (courses.get(id) ?? []).map(toCanvas),
    isJoined,
    label: box === null ? null : { text, isUpright, isCentered, ...turnBox(box, orientation), ...toCanvas(box) },
    add: add === undefined ? null : toCanvas(add),
  };
}
