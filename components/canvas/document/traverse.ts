import type { Definition, GraphNode } from "#lib/contract/graph";
import { CARD_WIDTH } from "@/components/canvas/document/dimensions";
import { framesOf, loopsAround, placeOf } from "@/components/canvas/document/frames";
import { orderSteps, outgoingInPortOrder } from "@/components/canvas/document/step-order";

export type Direction = "up" | "down" | "left" | "right";

/** Cards whose tops are closer than this appear to be in one row. */
const ROW_HEIGHT = 140;

/**
 * Returns the node that an arrow key moves to: up and down follow the edges, left and right follow the row. Down goes
 * through a loop's body before the steps after the loop, and up takes the same path back. Null at the end.
 */
export function neighbourOf(definition: Definition, nodeId: string, direction: Direction): string | null {
  const node = definition.nodes.find((candidate) => candidate.id === nodeId);
  if (node === undefined) return null;
  if (direction === "down") return firstInside(definition, nodeId) ?? nextOutside(definition, nodeId);
  if (direction === "up") return nearestSource(definition, node) ?? loopAround(definition, nodeId);
  return nearestInRow(definition, node, direction);
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

function nearestSource(definition: Definition, node: GraphNode): string | null {
  const sources = definition.edges.filter((edge) => edge.target === node.id).map((edge) => edge.source);
  const candidates = definition.nodes.filter((other) => sources.includes(other.id));
  return nearest(definition, candidates, node)?.id ?? null;
}

function nearestInRow(definition: Definition, node: GraphNode, direction: "left" | "right"): string | null {
  const sign = direction === "left" ? -1 : 1;
  const from = placeOf(definition, node);
  const around = new Set(loopsAround(definition, node.id));
  const candidates = definition.nodes.filter((other) => {
    const place = placeOf(definition, other);
    const dx = (place.x - from.x) * sign;
    return !around.has(other.id) && dx > CARD_WIDTH / 4 && Math.abs(place.y - from.y) < ROW_HEIGHT;
  });
  return nearest(definition, candidates, node)?.id ?? null;
}

function nearest(definition: Definition, candidates: GraphNode[], node: GraphNode): GraphNode | undefined {
  const from = placeOf(definition, node);
  const distance = (other: GraphNode) => {
    const place = placeOf(definition, other);
    return Math.abs(place.x - from.x) + 2 * Math.abs(place.y - from.y);
  };
  return [...candidates].sort((a, b) => distance(a) - distance(b))[0];
}
