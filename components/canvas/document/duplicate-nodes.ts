import type { Definition, GraphNode } from "#lib/contract/graph";
import { LIMITS } from "#lib/contract/limits";
import { createEdge } from "#lib/graph/create-edge";
import { nodeLabel } from "#lib/graph/node-data";
import { rewriteReferences } from "#lib/graph/rewrite-references";
import { CARD_WIDTH, FULL_CARD_HEIGHT, NODE_GAP } from "@/components/canvas/dimensions";
import { nextFreeId } from "@/components/canvas/document/node-ids";
import { NODE_KINDS } from "@/components/canvas/document/node-kinds";

interface Duplication {
  definition: Definition;
  /** The copies' ids, in the order of the originals. */
  nodeIds: string[];
}

/**
 * Copies of these nodes to their right, with the connections and references among themselves remapped. Types that a
 * workflow holds once are left out.
 */
export function duplicateNodes(definition: Definition, nodeIds: ReadonlySet<string>): Duplication {
  const originals = definition.nodes.filter((node) => nodeIds.has(node.id) && NODE_KINDS[node.type].max === undefined);
  if (definition.nodes.length + originals.length > LIMITS.graphNodes) return { definition, nodeIds: [] };
  const taken = new Set(definition.nodes.map((node) => node.id));
  const names = new Map<string, string>();
  for (const node of originals) {
    const id = nextFreeId(node.id.replace(/_[0-9]{1,2}$/, ""), taken);
    taken.add(id);
    names.set(node.id, id);
  }
  const shift = findShift(definition, originals);
  const copies = originals.map((node) => copyNode(node, names, shift));
  const edges = [...definition.edges];
  for (const edge of definition.edges) {
    const source = names.get(edge.source);
    const target = names.get(edge.target);
    if (source === undefined || target === undefined) continue;
    edges.push(createEdge(edges, { source, target, sourceHandle: edge.sourceHandle }));
  }
  return { definition: { nodes: [...definition.nodes, ...copies], edges }, nodeIds: copies.map((node) => node.id) };
}

/** How far to the right the copies stand free, as a group. */
function findShift(definition: Definition, originals: readonly GraphNode[]): number {
  const column = CARD_WIDTH + NODE_GAP;
  const covers = (shift: number) =>
    originals.some((copy) =>
      definition.nodes.some(
        (node) =>
          Math.abs(node.position.x - copy.position.x - shift) < CARD_WIDTH &&
          Math.abs(node.position.y - copy.position.y) < FULL_CARD_HEIGHT,
      ),
    );
  let shift = column;
  while (covers(shift)) shift += column;
  return shift;
}

function copyNode(node: GraphNode, names: ReadonlyMap<string, string>, shift: number): GraphNode {
  const data = structuredClone(rewriteReferences(node.data, names));
  return {
    ...node,
    id: names.get(node.id) ?? node.id,
    position: { x: node.position.x + shift, y: node.position.y },
    data: { ...data, name: `${nodeLabel(node).replace(/ \(copy\)$/, "")} (copy)` },
  };
}
