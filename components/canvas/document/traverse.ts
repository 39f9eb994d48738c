import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { CARD_WIDTH } from "@/components/canvas/document/dimensions";
import { framesOf, loopsAround, placeOf } from "@/components/canvas/document/frames";
import { orderSteps, outgoingInPortOrder } from "@/components/canvas/document/step-order";

export type Direction = "up" | "down" | "left" | "right";

/** Cards whose tops are closer than this appear to be in one row. */
const ROW_HEIGHT = 140;

/** What the arrow keys do in a drawing from left to right, as the keys that do it in one from top to bottom. */
const TURNED = { right: "down", left: "up", down: "right", up: "left" } as const satisfies Record<Direction, Direction>;

/**
 * Returns the node that an arrow key moves to: along the drawing's direction it follows the edges, across it the row.
 * Forward goes through a loop's body before the steps after the loop, and back takes the same path. Null at the end.
 */
export function neighbourOf(
  definition: Definition,
  nodeId: string,
  key: Direction,
  orientation: Orientation = "vertical",
): string | null {
  const node = definition.nodes.find((candidate) => candidate.id === nodeId);
  if (node === undefined) return null;
  const direction = orientation === "vertical" ? key : TURNED[key];
  if (direction === "down") return firstInside(definition, nodeId) ?? nextOutside(definition, nodeId);
  if (direction === "up") return nearestSource(definition, node, orientation) ?? loopAround(definition, nodeId);
  return nearestAcross(definition, node, direction === "left" ? -1 : 1, orientation);
}

function firstInside(definition: Definition, nodeId: string): string | null {
  const body = new Set((framesOf(definition).bodyOf.get(nodeId) ?? []).map((node) => node.id));
  return body.size === 0 ? null : (orderSteps(definition).find((id) => body.has(id)) ?? null);
}

/** Returns the nodes after the node; at the end of a loop's body, the nodes after the loop. */
function nextOutside(definition: Definition, nodeId: string): string | null {
  for (const id of [nodeId, ...loopsAround(definition, nodeId)]) {
    const [edge] = outgoingInPortOrder(definition, id);
    if (edge !== undefined) return edge.target;
  }
  return null;
}

function loopAround(definition: Definition, nodeId: string): string | null {
  return loopsAround(definition, nodeId)[0] ?? null;
}

function nearestSource(definition: Definition, node: GraphNode, orientation: Orientation): string | null {
  const sources = definition.edges.filter((edge) => edge.target === node.id).map((edge) => edge.source);
  const candidates = definition.nodes.filter((other) => sources.includes(other.id));
  return nearest(definition, candidates, node, orientation)?.id ?? null;
}

/** Returns the next card in the row of a drawing from top to bottom, or in the column of one from left to right. */
function nearestAcross(definition: Definition, node: GraphNode, sign: 1 | -1, orientation: Orientation): string | null {
  const isDown = orientation === "vertical";
  const from = placeOf(definition, node);
  const around = new Set(loopsAround(definition, node.id));
  const candidates = definition.nodes.filter((other) => {
    const place = placeOf(definition, other);
    const across = (isDown ? place.x - from.x : place.y - from.y) * sign;
    const along = Math.abs(isDown ? place.y - from.y : place.x - from.x);
    const isBeside = isDown ? across > CARD_WIDTH / 4 : across > 0;
    return !around.has(other.id) && isBeside && along < (isDown ? ROW_HEIGHT : CARD_WIDTH);
  });
  return nearest(definition, candidates, node, orientation)?.id ?? null;
}

/** A step along the drawing's direction counts twice, so that the nearest card is in the same row. */
function nearest(
  definition: Definition,
  candidates: GraphNode[],
  node: GraphNode,
  orientation: Orientation,
): GraphNode | undefined {
  const from = placeOf(definition, node);
  const distance = (other: GraphNode) => {
    const place = placeOf(definition, other);
    const [x, y] = [Math.abs(place.x - from.x), Math.abs(place.y - from.y)];
    return orientation === "vertical" ? x + 2 * y : 2 * x + y;
  };
  return [...candidates].sort((a, b) => distance(a) - distance(b))[0];
}
