import { LIMITS } from "#lib/contract/limits";
import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { createEdge } from "#lib/core/graph/edits/create-edge";
import { rewriteReferences } from "#lib/core/graph/edits/rewrite-references";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { nextFreeName } from "#lib/support/format/next-free-name";
import { CARD_WIDTH, FULL_CARD_HEIGHT, NODE_GAP, type Sizes } from "@/components/canvas/document/dimensions";
import { framesOf, outermostOf, withBodies } from "@/components/canvas/document/frames";
import { makeRoom } from "@/components/canvas/layout/fit-frames";
import type { DrawingView } from "@/components/canvas/layout/frame-lines";
import { nodeSize } from "@/components/canvas/layout/node-size";

interface Duplication {
  definition: Definition;
  /** Ids of the copies, in the order of the originals; for a loop only its own id, because its body moves with it. */
  nodeIds: string[];
}

/**
 * Copies these nodes to their right, with the connections and references among them remapped; a loop is copied with its
 * body. Skips types that a workflow can have only once.
 */
export function duplicateNodes(
  definition: Definition,
  nodeIds: ReadonlySet<string>,
  sizes: Sizes,
  orientation: Orientation = "vertical",
): Duplication {
  const view = { sizes, orientation };
  const all = withBodies(definition, nodeIds);
  const originals = definition.nodes.filter((node) => all.has(node.id) && STEP_KINDS[node.type].max === null);
  if (definition.nodes.length + originals.length > LIMITS.graphNodes) return { definition, nodeIds: [] };
  const outermost = outermostOf(definition, new Set(originals.map((node) => node.id)));
  const names = chooseIds(definition, originals);
  const shift = findShift(
    definition,
    originals.filter((node) => outermost.has(node.id)),
    view,
  );
  const copies = originals.map((node) =>
    outermost.has(node.id) ? copyNode(node, names, shift) : copyInside(node, names),
  );
  const edges = [...definition.edges];
  for (const edge of definition.edges) {
    const source = names.get(edge.source);
    const target = names.get(edge.target);
    if (source === undefined || target === undefined) continue;
    edges.push(createEdge(edges, { source, target, sourceHandle: edge.sourceHandle }));
  }
  const grown = { nodes: [...definition.nodes, ...copies], edges };
  return {
    definition: makeRoom(definition, grown, view),
    nodeIds: [...outermost].flatMap((id) => names.get(id) ?? []),
  };
}

/** Returns a free id for each node, by the node's current id. */
export function chooseIds(definition: Definition, originals: readonly GraphNode[]): ReadonlyMap<string, string> {
  const taken = new Set(definition.nodes.map((node) => node.id));
  const names = new Map<string, string>();
  for (const node of originals) {
    const id = nextFreeName(node.id.replace(/_[0-9]{1,2}$/, ""), taken);
    taken.add(id);
    names.set(node.id, id);
  }
  return names;
}

/** Returns how far to the right the group of copies covers no other node. */
function findShift(definition: Definition, originals: readonly GraphNode[], view: DrawingView): number {
  const { frameOf } = framesOf(definition);
  const sizeOf = (node: GraphNode) => nodeSize(definition, node, view.sizes, view.orientation);
  const covers = (shift: number) =>
    originals.some((copy) => {
      const left = copy.position.x + shift;
      const { width, height } = sizeOf(copy);
      return definition.nodes.some((node) => {
        const size = sizeOf(node);
        const isBeside = node.position.x + size.width <= left || left + width <= node.position.x;
        const isAbove = node.position.y + size.height <= copy.position.y;
        const isBelow = copy.position.y + Math.max(height, FULL_CARD_HEIGHT) <= node.position.y;
        return frameOf.get(node.id) === frameOf.get(copy.id) && !isBeside && !isAbove && !isBelow;
      });
    });
  const column = Math.max(CARD_WIDTH, ...originals.map((node) => sizeOf(node).width)) + NODE_GAP;
  let shift = column;
  while (covers(shift)) shift += column;
  return shift;
}

function copyNode(node: GraphNode, names: ReadonlyMap<string, string>, shift: number): GraphNode {
  const copy = copyInside(node, names);
  return {
    ...copy,
    position: { x: node.position.x + shift, y: node.position.y },
    data: { ...copy.data, name: `${nodeLabel(node).replace(/ \(copy\)$/, "")} (copy)` },
  };
}

/** A copy inside a copied loop has the same position as the original in its own loop. */
export function copyInside(node: GraphNode, names: ReadonlyMap<string, string>): GraphNode {
  const { parentId } = node;
  return {
    ...node,
    id: names.get(node.id) ?? node.id,
    ...(parentId === undefined ? {} : { parentId: names.get(parentId) ?? parentId }),
    data: structuredClone(rewriteReferences(node.data, names)),
  };
}
