import { Graph, layout } from "@dagrejs/dagre";
import type { Definition } from "#lib/contract/graph";
import { BRANCH_LABEL_HEIGHT, NODE_GAP, RANK_GAP, type Sizes, sizeOf } from "@/components/canvas/dimensions";
import { outputLabel } from "@/components/canvas/document/node-kinds";
import { orderSteps, outgoingInPortOrder } from "@/components/canvas/document/step-order";

/**
 * The definition laid out top to bottom. The first step keeps its place, so that the drawing does not jump under the
 * person who tidies it. Nodes and edges enter in reading and port order, which keeps branches in the order of the ports.
 */
export function tidyLayout(definition: Definition, sizes: Sizes): Definition {
  const order = orderSteps(definition);
  const first = definition.nodes.find((node) => node.id === order[0]);
  if (first === undefined) return definition;
  const graph = new Graph();
  graph.setGraph({ rankdir: "TB", nodesep: NODE_GAP, ranksep: RANK_GAP });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of order) graph.setNode(id, { ...sizeOf(id, sizes) });
  for (const id of order) {
    const node = definition.nodes.find((candidate) => candidate.id === id);
    for (const edge of outgoingInPortOrder(definition, id)) {
      if (!graph.hasNode(edge.target)) continue;
      const isLabelled = node !== undefined && outputLabel(node, edge.sourceHandle) !== "";
      graph.setEdge(id, edge.target, isLabelled ? { width: 1, height: BRANCH_LABEL_HEIGHT, labelpos: "c" } : {});
    }
  }
  layout(graph);
  const corner = (id: string) => {
    const { x, y } = graph.node(id);
    const size = sizeOf(id, sizes);
    return { x: x - size.width / 2, y: y - size.height / 2 };
  };
  const origin = corner(first.id);
  return {
    ...definition,
    nodes: definition.nodes.map((node) => {
      const { x, y } = corner(node.id);
      const position = {
        x: Math.round(first.position.x + x - origin.x),
        y: Math.round(first.position.y + y - origin.y),
      };
      const isSame = position.x === node.position.x && position.y === node.position.y;
      return isSame ? node : { ...node, position };
    }),
  };
}
