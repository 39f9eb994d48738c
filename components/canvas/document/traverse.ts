import type { Definition, GraphNode } from "#lib/contract/graph";
import { CARD_WIDTH } from "@/components/canvas/dimensions";
import { outgoingInPortOrder } from "@/components/canvas/document/step-order";

export type Direction = "up" | "down" | "left" | "right";

/** Cards whose tops are closer than this stand in one row for a person's eye. */
const ROW_HEIGHT = 140;

/** The node an arrow key leads to: along the edges up and down, along the row left and right. Null at the end. */
export function neighbourOf(definition: Definition, nodeId: string, direction: Direction): string | null {
  const node = definition.nodes.find((candidate) => candidate.id === nodeId);
  if (node === undefined) return null;
  if (direction === "down") return outgoingInPortOrder(definition, nodeId)[0]?.target ?? null;
  if (direction === "up") return nearestSource(definition, node);
  return nearestInRow(definition, node, direction);
}

function nearestSource(definition: Definition, node: GraphNode): string | null {
  const sources = definition.edges.filter((edge) => edge.target === node.id).map((edge) => edge.source);
  const candidates = definition.nodes.filter((other) => sources.includes(other.id));
  return nearest(candidates, node)?.id ?? null;
}

function nearestInRow(definition: Definition, node: GraphNode, direction: "left" | "right"): string | null {
  const sign = direction === "left" ? -1 : 1;
  const candidates = definition.nodes.filter((other) => {
    const dx = (other.position.x - node.position.x) * sign;
    return dx > CARD_WIDTH / 4 && Math.abs(other.position.y - node.position.y) < ROW_HEIGHT;
  });
  return nearest(candidates, node)?.id ?? null;
}

function nearest(candidates: GraphNode[], node: GraphNode): GraphNode | undefined {
  const distance = (other: GraphNode) =>
    Math.abs(other.position.x - node.position.x) + 2 * Math.abs(other.position.y - node.position.y);
  return [...candidates].sort((a, b) => distance(a) - distance(b))[0];
}
