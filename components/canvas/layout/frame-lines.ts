import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import {
  FRAME_BOTTOM,
  FRAME_HEIGHT_MIN,
  FRAME_PADDING,
  FRAME_WIDTH_MIN,
  type Point,
  type Size,
  type Sizes,
} from "@/components/canvas/document/dimensions";
import { type FramePlan, planFrame } from "@/components/canvas/layout/plan-frame";
import { ADD_ROOM, LABEL_GAP } from "@/components/canvas/lines/line-sizes";
import { type Rect, turnPoint } from "@/components/canvas/lines/orientation";
import { placeAdds } from "@/components/canvas/lines/place-adds";
import { labelBox, openAdd, targetAround } from "@/components/canvas/lines/port-parts";
import { routeLines } from "@/components/canvas/lines/route-lines";

export interface DrawingView {
  sizes: Sizes;
  orientation: Orientation;
}
interface FrameView extends DrawingView {
  /** Sizes of nodes, which depend on the lines of the frames inside. */
  nodeSize: (definition: Definition, node: GraphNode, sizes: Sizes, orientation: Orientation) => Size;
}

/** The lines of one frame, turned like its plan, and the size that the frame needs for its content. */
export interface FrameLines {
  plan: FramePlan;
  courses: ReadonlyMap<string, readonly Point[]>;
  /** The add buttons of lines. */
  adds: ReadonlyMap<string, Point>;
  /** The corner of the content, not turned. */
  corner: Point;
  size: Size;
}

interface Known extends DrawingView {
  frames: Map<string, FrameLines>;
}

const known = new WeakMap<Definition, Known>();
/** The last lines of each frame, by the edges of the definition, which survive edits that move no line. */
const former = new WeakMap<Definition["edges"], Map<string, FrameLines>>();

/** Returns the routed lines of a frame. Computed once for each definition, and again only if something moved. */
export function frameLines(definition: Definition, frame: string, view: FrameView): FrameLines {
  const frames = framesKnown(definition, view);
  const before = frames.get(frame);
  if (before !== undefined) return before;
  const { sizes, orientation, nodeSize } = view;
  const plan = planFrame(definition, frame, orientation, (node) => nodeSize(definition, node, sizes, orientation));
  const last = former.get(definition.edges) ?? new Map<string, FrameLines>();
  former.set(definition.edges, last);
  const key = `${orientation} ${frame}`;
  const same = last.get(key);
  const lines = same !== undefined && isSamePlan(same.plan, plan) ? same : measure(plan, orientation);
  last.set(key, lines);
  frames.set(frame, lines);
  return lines;
}

function framesKnown(definition: Definition, { sizes, orientation }: DrawingView): Map<string, FrameLines> {
  const before = known.get(definition);
  if (before?.sizes === sizes && before.orientation === orientation) return before.frames;
  const frames = new Map<string, FrameLines>();
  known.set(definition, { sizes, orientation, frames });
  return frames;
}

function measure(plan: FramePlan, orientation: Orientation): FrameLines {
  const courses = routeLines(plan);
  const content = boundsOf(plan, courses);
  const corner = turnPoint(content, orientation);
  const end = turnPoint({ x: content.x + content.width, y: content.y + content.height }, orientation);
  const padding = turnPoint({ x: FRAME_PADDING, y: FRAME_BOTTOM }, orientation);
  const size = {
    width: Math.max(FRAME_WIDTH_MIN, Math.ceil(end.x + padding.x)),
    height: Math.max(FRAME_HEIGHT_MIN, Math.ceil(end.y + padding.y)),
  };
  return { plan, courses, adds: placeAdds(listLines(courses), takenIn(plan)), corner, size };
}

function listLines(courses: ReadonlyMap<string, readonly Point[]>) {
  return [...courses].map(([id, points]) => ({ id, points }));
}

/** What an add button must not cover. */
function takenIn({ cards, ports }: FramePlan): Rect[] {
  const labels = ports.flatMap((port) => labelBox(port) ?? []);
  const open = ports.filter(({ isOpen }) => isOpen).map((port) => targetAround(openAdd(port)));
  return [...cards.values(), ...labels, ...open];
}

/** The part of an open port that the padding of a frame has room for. */
const PADDED = FRAME_BOTTOM - ADD_ROOM;

function boundsOf({ cards, ports }: FramePlan, courses: ReadonlyMap<string, readonly Point[]>): Rect {
  const starts: Point[] = [...cards.values()];
  const ends = starts.map(({ x, y }, index) => {
    const { width, height } = [...cards.values()][index] ?? { width: 0, height: 0 };
    return { x: x + width, y: y + height };
  });
  for (const { x, y, label, isOpen, isHidden } of ports) {
    if (isOpen && !isHidden && label !== null) ends.push({ x, y: y + LABEL_GAP + label.along + ADD_ROOM - PADDED });
  }
  for (const points of courses.values()) {
    starts.push(...points);
    ends.push(...points);
  }
  if (starts.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const x = Math.min(...starts.map((point) => point.x));
  const y = Math.min(...starts.map((point) => point.y));
  const width = Math.max(...ends.map((point) => point.x)) - x;
  return { x, y, width, height: Math.max(...ends.map((point) => point.y)) - y };
}

function isSamePlan(before: FramePlan, after: FramePlan): boolean {
  return (
    before.cards.size === after.cards.size &&
    before.ports.length === after.ports.length &&
    before.lines.length === after.lines.length &&
    [...after.cards].every(([id, box]) => isEqual(before.cards.get(id), box)) &&
    after.ports.every((port, at) => isEqual(before.ports[at], port)) &&
    after.lines.every((line, at) => line.id === before.lines[at]?.id) &&
    [...after.labels].every(([key, label]) => before.labels.get(key) === label)
  );
}

function isEqual(before: object | undefined, after: object): boolean {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(after);
}
