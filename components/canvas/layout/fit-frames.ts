import type { Definition, GraphNode } from "#lib/contract/graph";
import { FRAME_PADDING, FRAME_TOP, GRID, RANK_GAP, type Sizes } from "@/components/canvas/document/dimensions";
import { moveNodes } from "@/components/canvas/document/edit-data";
import { framesOf, ROOT } from "@/components/canvas/document/frames";
import { downstreamOf } from "@/components/canvas/document/step-order";
import { nodeSize } from "@/components/canvas/layout/node-size";

/** Returns the definition with each loop's frame fitted to its body. The body keeps its position on the canvas. */
export function fitFrames(definition: Definition): Definition {
  return [...framesOf(definition).outerFirst].reverse().reduce(fitFrame, definition);
}

function fitFrame(definition: Definition, loopId: string): Definition {
  const body = framesOf(definition).bodyOf.get(loopId) ?? [];
  const loop = definition.nodes.find((node) => node.id === loopId);
  if (loop === undefined || body.length === 0) return definition;
  const x = Math.min(...body.map((node) => node.position.x)) - FRAME_PADDING;
  const y = Math.min(...body.map((node) => node.position.y)) - FRAME_TOP;
  const moved = body.map((node) => [node.id, shift(node, -x, -y)] as const);
  return moveNodes(definition, Object.fromEntries([...moved, [loop.id, shift(loop, x, y)]]));
}

function shift({ position }: GraphNode, x: number, y: number) {
  return { x: position.x + x, y: position.y + y };
}

/**
 * Returns the definition with the steps after a grown loop moved down so that the loop doesn't cover them, innermost
 * loops first.
 */
export function makeRoom(before: Definition, definition: Definition, sizes: Sizes): Definition {
  const loops = [...framesOf(definition).outerFirst].reverse().filter((id) => id !== ROOT);
  return loops.reduce((current, loopId) => pushDown(before, current, loopId, sizes), definition);
}

function pushDown(before: Definition, definition: Definition, loopId: string, sizes: Sizes): Definition {
  const loop = definition.nodes.find((node) => node.id === loopId);
  const former = before.nodes.find((node) => node.id === loopId);
  if (loop === undefined || former === undefined) return definition;
  const { height } = nodeSize(definition, loop, sizes);
  if (height <= nodeSize(before, former, sizes).height) return definition;
  const after = downstreamOf(definition.edges, loopId);
  after.delete(loopId);
  const following = definition.nodes.filter((node) => after.has(node.id));
  const top = Math.min(...following.map((node) => node.position.y));
  const distance = loop.position.y + height + RANK_GAP - top;
  if (following.length === 0 || distance <= 0) return definition;
  const down = Math.ceil(distance / GRID) * GRID;
  return moveNodes(definition, Object.fromEntries(following.map((node) => [node.id, shift(node, 0, down)])));
}
