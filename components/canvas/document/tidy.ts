import { Graph, layout } from "@dagrejs/dagre";
import type { Definition } from "#lib/contract/graph";
import { BRANCH_LABEL_HEIGHT, NODE_GAP, RANK_GAP, type Sizes } from "@/components/canvas/dimensions";
import { outputsOf } from "@/components/canvas/document/node-kinds";
import { nodeSize } from "@/components/canvas/document/node-size";
import { orderSteps, outgoingInPortOrder } from "@/components/canvas/document/step-order";

/** A second layout is worth its time while a person can still see each crossing. */
const HEURISTIC_NODES_MAX = 100;

interface Point {
  x: number;
  y: number;
}
type Places = ReadonlyMap<string, Point>;

/**
 * The definition laid out top to bottom. The first step keeps its place, so that the drawing does not jump under the
 * person who tidies it.
 */
export function tidyLayout(definition: Definition, sizes: Sizes): Definition {
  const order = orderByPorts(definition);
  const first = definition.nodes.find((node) => node.id === order[0]);
  if (first === undefined) return definition;
  const places = placeNodes(definition, sizes, order);
  const origin = places.get(first.id) ?? first.position;
  return {
    ...definition,
    nodes: definition.nodes.map((node) => {
      const place = places.get(node.id) ?? node.position;
      const x = Math.round(first.position.x + place.x - origin.x);
      const y = Math.round(first.position.y + place.y - origin.y);
      return x === node.position.x && y === node.position.y ? node : { ...node, position: { x, y } };
    }),
  };
}

/** Depth first along the ports, which keeps branches in the order of the ports. */
function orderByPorts(definition: Definition): string[] {
  const known = new Set(definition.nodes.map((node) => node.id));
  const seen = new Set<string>();
  const stack = orderSteps(definition).reverse();
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (seen.has(id) || !known.has(id)) continue;
    seen.add(id);
    const next = outgoingInPortOrder(definition, id).map((edge) => edge.target);
    stack.push(...next.reverse());
  }
  return [...seen];
}

/**
 * Port order first: dagre's own ordering mirrors branches at will. It takes over only where the port order makes lines
 * cross and dagre knows a better one.
 */
function placeNodes(definition: Definition, sizes: Sizes, order: readonly string[]): Places {
  const inPortOrder = runDagre(definition, sizes, order, true);
  const crossings = countCrossings(definition, inPortOrder);
  if (crossings === 0 || definition.nodes.length > HEURISTIC_NODES_MAX) return inPortOrder;
  const heuristic = runDagre(definition, sizes, order, false);
  return countCrossings(definition, heuristic) < crossings ? heuristic : inPortOrder;
}

function runDagre(definition: Definition, sizes: Sizes, order: readonly string[], keepsOrder: boolean): Places {
  const graph = new Graph();
  graph.setGraph({ rankdir: "TB", nodesep: NODE_GAP, ranksep: RANK_GAP, rankalign: "top" });
  const nodes = order.flatMap((id) => definition.nodes.find((node) => node.id === id) ?? []);
  for (const node of nodes) graph.setNode(node.id, { ...nodeSize(node, sizes) });
  for (const node of nodes) {
    const leaving = outgoingInPortOrder(definition, node.id);
    const isLabelled = outputsOf(node, leaving).length > 1;
    for (const edge of leaving) {
      if (!graph.hasNode(edge.target)) continue;
      graph.setEdge(node.id, edge.target, isLabelled ? { width: 1, height: BRANCH_LABEL_HEIGHT, labelpos: "c" } : {});
    }
  }
  layout(graph, { disableOptimalOrderHeuristic: keepsOrder });
  return new Map(
    nodes.map((node) => {
      const { x, y } = graph.node(node.id);
      const size = nodeSize(node, sizes);
      return [node.id, { x: x - size.width / 2, y: y - size.height / 2 }];
    }),
  );
}

/** How many pairs of edges cross, drawn as straight lines. */
function countCrossings(definition: Definition, places: Places): number {
  const lines = definition.edges.flatMap((edge) => {
    const from = places.get(edge.source);
    const to = places.get(edge.target);
    return from === undefined || to === undefined ? [] : [{ from, to }];
  });
  let crossings = 0;
  for (const [index, a] of lines.entries()) {
    for (const b of lines.slice(index + 1)) {
      const isApart = turn(a.from, a.to, b.from) * turn(a.from, a.to, b.to) < 0;
      if (isApart && turn(b.from, b.to, a.from) * turn(b.from, b.to, a.to) < 0) crossings += 1;
    }
  }
  return crossings;
}

/** On which side of the line a-b the point lies: the sign tells. */
function turn(a: Point, b: Point, point: Point): number {
  return Math.sign((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x));
}
