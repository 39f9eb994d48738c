import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { FRAME_PADDING, FRAME_TOP, GRID, RANK_GAP } from "@/components/canvas/document/dimensions";
import { moveNodes } from "@/components/canvas/document/edit-data";
import { framesOf, ROOT } from "@/components/canvas/document/frames";
import { downstreamOf } from "@/components/canvas/document/step-order";
import { type DrawingView, frameLines } from "@/components/canvas/layout/frame-lines";
import { nodeSize } from "@/components/canvas/layout/node-size";
import { turnPoint, turnSize } from "@/components/canvas/lines/orientation";

/**
 * Returns the definition with each loop's frame fitted to its body and the lines in it. The body keeps its position on
 * the canvas.
 */
export function fitFrames(definition: Definition, view: DrawingView): Definition {
  const fit = (current: Definition, loopId: string) => fitFrame(current, loopId, view);
  return [...framesOf(definition).outerFirst].reverse().reduce(fit, definition);
}

/** Returns the definition with one loop's frame fitted. */
export function fitFrame(definition: Definition, loopId: string, view: DrawingView): Definition {
  const body = framesOf(definition).bodyOf.get(loopId) ?? [];
  const loop = definition.nodes.find((node) => node.id === loopId);
  if (loop === undefined || body.length === 0) return definition;
  const { corner } = frameLines(definition, loopId, { ...view, nodeSize });
  const [x, y] = [corner.x - FRAME_PADDING, corner.y - FRAME_TOP];
  const moved = body.map((node) => [node.id, shift(node, -x, -y)] as const);
  return moveNodes(definition, Object.fromEntries([...moved, [loop.id, shift(loop, x, y)]]));
}

function shift({ position }: GraphNode, x: number, y: number) {
  return { x: position.x + x, y: position.y + y };
}

/**
 * Returns the definition with the steps after a grown loop moved away so that the loop doesn't cover them, innermost
 * loops first.
 */
export function makeRoom(before: Definition, definition: Definition, view: DrawingView): Definition {
  const loops = [...framesOf(definition).outerFirst].reverse().filter((id) => id !== ROOT);
  return loops.reduce((current, loopId) => pushAway(before, current, loopId, view), definition);
}

function pushAway(before: Definition, definition: Definition, loopId: string, view: DrawingView): Definition {
  const { sizes, orientation } = view;
  const loop = definition.nodes.find((node) => node.id === loopId);
  const former = before.nodes.find((node) => node.id === loopId);
  if (loop === undefined || former === undefined) return definition;
  const lengthIn = (document: Definition, node: GraphNode) =>
    turnSize(nodeSize(document, node, sizes, orientation), orientation).height;
  const length = lengthIn(definition, loop);
  if (length <= lengthIn(before, former)) return definition;
  const after = downstreamOf(definition.edges, loopId);
  after.delete(loopId);
  const following = definition.nodes.filter((node) => after.has(node.id));
  const start = Math.min(...following.map((node) => turnPoint(node.position, orientation).y));
  const distance = turnPoint(loop.position, orientation).y + length + RANK_GAP - start;
  if (following.length === 0 || distance <= 0) return definition;
  const { x, y } = turnPoint({ x: 0, y: Math.ceil(distance / GRID) * GRID }, orientation);
  return moveNodes(definition, Object.fromEntries(following.map((node) => [node.id, shift(node, x, y)])));
}
