import { Graph, layout } from "@dagrejs/dagre";
import type { Definition } from "#lib/contract/graph";
import { branchesOf } from "@/components/canvas/document/branches-of";
import {
  BRANCH_LABEL_HEIGHT,
  FRAME_PADDING,
  FRAME_TOP,
  NODE_GAP,
  type Point,
  RANK_GAP,
  type Size,
  type Sizes,
} from "@/components/canvas/document/dimensions";
import { moveNodes } from "@/components/canvas/document/edit-data";
import { framesOf, ROOT } from "@/components/canvas/document/frames";
import { orderSteps, outgoingInPortOrder } from "@/components/canvas/document/step-order";
import { nodeSize } from "@/components/canvas/layout/node-size";

/** A second layout is worth its time only while a person can still see each crossing. */
const HEURISTIC_NODES_MAX = 100;

/** The contents of one frame. */
interface Part extends Definition {
  sizes: ReadonlyMap<string, Size>;
}
type Places = ReadonlyMap<string, Point>;

/**
 * Returns the definition laid out from top to bottom. Loop bodies are laid out first and then count as large cards. The
 * first step keeps its place, so that the drawing doesn't jump while the user tidies it.
 */
export function tidyLayout(definition: Definition, sizes: Sizes): Definition {
  return [...framesOf(definition).outerFirst]
    .reverse()
    .reduce((current, frame) => tidyFrame(current, frame, sizes), definition);
}

function tidyFrame(definition: Definition, frame: string, sizes: Sizes): Definition {
  const nodes = framesOf(definition).bodyOf.get(frame) ?? [];
  const ids = new Set(nodes.map((node) => node.id));
  const edges = definition.edges.filter((edge) => ids.has(edge.source) && ids.has(edge.target));
  const part: Part = {
    nodes: [...nodes],
    edges,
    sizes: new Map(nodes.map((node) => [node.id, nodeSize(definition, node, sizes)])),
  };
  const order = orderByPorts(part);
  const first = nodes.find((node) => node.id === order[0]);
  if (first === undefined) return definition;
  const places = placeNodes(part, order);
  const start = frame === ROOT ? first.position : { x: FRAME_PADDING, y: FRAME_TOP };
  const origin = frame === ROOT ? (places.get(first.id) ?? first.position) : cornerOf(places);
  const positions = [...places].map(([id, { x, y }]) => [
    id,
    { x: Math.round(start.x + x - origin.x), y: Math.round(start.y + y - origin.y) },
  ]);
  return moveNodes(definition, Object.fromEntries(positions));
}

function cornerOf(places: Places): Point {
  const points = [...places.values()];
  return { x: Math.min(...points.map((point) => point.x)), y: Math.min(...points.map((point) => point.y)) };
}

/** Depth first along the ports, which keeps branches in port order. */
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
 * Uses the port order first, because dagre's own ordering mirrors branches at will. Dagre's order is used only if the
 * port order makes lines cross and dagre finds a better one.
 */
function placeNodes(part: Part, order: readonly string[]): Places {
  const inPortOrder = runDagre(part, order, true);
  const crossings = countCrossings(part, inPortOrder);
  if (crossings === 0 || part.nodes.length > HEURISTIC_NODES_MAX) return inPortOrder;
  const heuristic = runDagre(part, order, false);
  return countCrossings(part, heuristic) < crossings ? heuristic : inPortOrder;
}

function runDagre(part: Part, order: readonly string[], keepsOrder: boolean): Places {
  const graph = new Graph();
  graph.setGraph({ rankdir: "TB", nodesep: NODE_GAP, ranksep: RANK_GAP, rankalign: "top" });
  const nodes = order.flatMap((id) => part.nodes.find((node) => node.id === id) ?? []);
  for (const node of nodes) graph.setNode(node.id, { ...part.sizes.get(node.id) });
  for (const node of nodes) {
    const leaving = outgoingInPortOrder(part, node.id);
    const isLabelled = branchesOf(node, leaving).length > 1;
    for (const edge of leaving) {
      if (!graph.hasNode(edge.target)) continue;
      graph.setEdge(node.id, edge.target, isLabelled ? { width: 1, height: BRANCH_LABEL_HEIGHT, labelpos: "c" } : {});
    }
  }
  layout(graph, { disableOptimalOrderHeuristic: keepsOrder });
  return new Map(
    nodes.map((node) => {
      const { x, y } = graph.node(node.id);
      const { width, height } = part.sizes.get(node.id) ?? { width: 0, height: 0 };
      return [node.id, { x: x - width / 2, y: y - height / 2 }];
    }),
  );
}

/** Returns how many pairs of edges cross, drawn as straight lines. */
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

/** Returns the side of the line a-b that the point is on, as a sign. */
function turn(a: Point, b: Point, point: Point): number {
  return Math.sign((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x));
}
