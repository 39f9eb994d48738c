import type { GraphEdge, GraphNode, StepCategory } from "#lib/contract/workflow/graph";
import type { GraphOutline, OutlineBox } from "#lib/contract/workflow/workflow";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/** The parts of a definition that the outline reads. */
interface OutlineSource {
  nodes: readonly Pick<GraphNode, "id" | "type" | "position" | "parentId">[];
  edges: readonly Pick<GraphEdge, "source" | "target">[];
}

type SourceNode = OutlineSource["nodes"][number];

/** Size of a card and the distance between two cards in the canvas layout, in CSS pixels, approximately. */
const CARD = { width: 280, height: 100 };
const PITCH = { x: 320, y: 160 };
const FRAME_MIN = { width: 320, height: 160 };
const FRAME_PADDING = 20;
/** The size of a cell of the outline. */
const CELL = 20;
const DEPTH_MAX = 8;

export const OUTLINE_BOXES_MAX = 60;
const OUTLINE_FRAMES_MAX = 20;
const OUTLINE_LINES_MAX = 120;

interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
  category: StepCategory;
  isFrame: boolean;
}

/**
 * Reduces a definition to a few small integers, for a thumbnail. Only positions count: the content of a card does not
 * change its size here. In a large drawing, neighboring cards are merged until `OUTLINE_BOXES_MAX` are left.
 */
export function outlineGraph({ nodes, edges }: OutlineSource): GraphOutline {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const rects = placeAll(byId);
  const frames = [...byId.values()].filter(isFrame).slice(0, OUTLINE_FRAMES_MAX);
  const cards = [...byId.values()].filter((node) => !isFrame(node));
  const lattice = thin(cards, rects, OUTLINE_BOXES_MAX - frames.length);
  const places = new Map<string, number>();
  const boxes: Rect[] = [];
  for (const [index, { id }] of frames.entries()) {
    boxes.push(rects.get(id) ?? NOWHERE);
    places.set(id, index);
  }
  for (const [rect, ids] of lattice.groups) {
    for (const id of ids) places.set(id, boxes.length);
    boxes.push(rect);
  }
  return { ...scale(boxes, CELL * lattice.step), lines: joinBoxes(edges, places) };
}

const NOWHERE: Rect = { x: 0, y: 0, ...CARD, category: "data", isFrame: false };

function isFrame({ type }: SourceNode): boolean {
  return STEP_KINDS[type].holdsBody;
}

/**
 * Lists the loops around a node, nearest first. A draft from elsewhere may name a parent that is not a loop, or have a
 * cycle of parents.
 */
function loopsAround(byId: ReadonlyMap<string, SourceNode>, node: SourceNode): SourceNode[] {
  const loops: SourceNode[] = [];
  let parent = byId.get(node.parentId ?? "");
  while (parent !== undefined && isFrame(parent) && loops.length < DEPTH_MAX) {
    loops.push(parent);
    parent = byId.get(parent.parentId ?? "");
  }
  return loops;
}

/** Computes every node's rectangle in the drawing. Frames enclose their contents. */
function placeAll(byId: ReadonlyMap<string, SourceNode>): Map<string, Rect> {
  const rects = new Map<string, Rect>();
  for (const node of byId.values()) {
    const origins = [node, ...loopsAround(byId, node)].map(({ position }) => position);
    const x = origins.reduce((sum, position) => sum + position.x, 0);
    const y = origins.reduce((sum, position) => sum + position.y, 0);
    const { category, holdsBody } = STEP_KINDS[node.type];
    rects.set(node.id, { x, y, ...(holdsBody ? FRAME_MIN : CARD), category, isFrame: holdsBody });
  }
  for (const node of byId.values()) {
    const inner = rects.get(node.id) ?? NOWHERE;
    for (const [index, loop] of loopsAround(byId, node).entries()) {
      const outer = rects.get(loop.id) ?? NOWHERE;
      const padding = FRAME_PADDING * (index + 1);
      outer.width = Math.max(outer.width, inner.x + inner.width + padding - outer.x);
      outer.height = Math.max(outer.height, inner.y + inner.height + padding - outer.y);
    }
  }
  return rects;
}

/**
 * Returns the cards unchanged if there are few enough. Otherwise merges them into the cells of a lattice, as fine as
 * the limit allows.
 */
function thin(cards: readonly SourceNode[], rects: ReadonlyMap<string, Rect>, most: number) {
  for (let step = 1; ; step *= 2) {
    const groups = new Map<string, [Rect, string[]]>();
    for (const { id } of cards) {
      const rect = snap(rects.get(id) ?? NOWHERE, step);
      const key = `${rect.x} ${rect.y}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [rect, [id]]);
      else group[1].push(id);
    }
    if (groups.size <= most) return { step, groups: [...groups.values()] };
  }
}

function snap(rect: Rect, step: number): Rect {
  if (step === 1) return rect;
  const [across, down] = [PITCH.x * step, PITCH.y * step];
  const { width, height } = CARD;
  return {
    ...rect,
    x: Math.floor(rect.x / across) * across,
    y: Math.floor(rect.y / down) * down,
    width: width * step,
    height: height * step,
  };
}

function scale(rects: readonly Rect[], cell: number): Omit<GraphOutline, "lines"> {
  const left = Math.min(...rects.map(({ x }) => x));
  const top = Math.min(...rects.map(({ y }) => y));
  const boxes = rects.map(({ x, y, width, height, category, isFrame }): OutlineBox => {
    const [w, h] = [Math.round(width / cell), Math.round(height / cell)];
    return [Math.round((x - left) / cell), Math.round((y - top) / cell), w, h, category, isFrame];
  });
  return {
    width: Math.max(0, ...boxes.map(([x, , width]) => x + width)),
    height: Math.max(0, ...boxes.map(([, y, , height]) => y + height)),
    boxes,
  };
}

function joinBoxes(edges: OutlineSource["edges"], places: ReadonlyMap<string, number>): [number, number][] {
  const lines = new Map<string, [number, number]>();
  for (const { source, target } of edges) {
    const [from, to] = [places.get(source), places.get(target)];
    if (from === undefined || to === undefined || from === to) continue;
    lines.set(`${from} ${to}`, [from, to]);
  }
  return [...lines.values()].slice(0, OUTLINE_LINES_MAX);
}
