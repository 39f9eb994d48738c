import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { rewriteReferences } from "#lib/core/graph/edits/rewrite-references";
import { nodeLabel } from "#lib/core/steps/node-data";
import type { Sizes } from "@/components/canvas/document/dimensions";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";
import { type Insertion, insertNode } from "@/components/canvas/layout/insert-node";

/**
 * Returns the definition with connected steps at the spot. They are added one by one, so that each gets the place, the
 * id and the lines of a step that is added by hand; a line that the spot splits continues after the last step.
 * References among the steps follow their new ids; others stay, for the user to replace.
 * @param fragment a step comes after the steps that lead to it and after the loop that contains it
 */
export function insertFragment(
  definition: Definition,
  fragment: Definition,
  spot: InsertSpot,
  sizes: Sizes,
): Insertion | null {
  const ids = new Map<string, string>();
  let grown = definition;
  for (const node of fragment.nodes) {
    const place = ids.size === 0 ? spot : spotInside(fragment, node, grown, ids);
    if (place === null) return null;
    const { name: _name, ...data } = node.data;
    const step = { type: node.type, name: nodeLabel(node), baseId: node.id, data };
    const { definition: next, nodeId } = insertNode(grown, step, place, sizes);
    ids.set(node.id, nodeId);
    grown = next;
  }
  const [nodeId] = ids.values();
  if (nodeId === undefined) return null;
  const added = new Set(ids.values());
  const nodes = grown.nodes.map((node) =>
    added.has(node.id) ? { ...node, data: rewriteReferences(node.data, ids) } : node,
  );
  return { definition: { ...grown, nodes }, nodeId };
}

/** Returns where a later step belongs: after the step that leads to it, or first in its loop. */
function spotInside(
  fragment: Definition,
  node: GraphNode,
  grown: Definition,
  ids: ReadonlyMap<string, string>,
): InsertSpot | null {
  const line = fragment.edges.find(({ target }) => target === node.id);
  const source = line === undefined ? undefined : ids.get(line.source);
  if (line === undefined || source === undefined) {
    const loopId = node.parentId === undefined ? undefined : ids.get(node.parentId);
    return loopId === undefined ? null : { kind: "inside", loopId };
  }
  const handle = line.sourceHandle ?? null;
  // The step before it may have taken over the line that was split.
  const taken = grown.edges.find((edge) => edge.source === source && (edge.sourceHandle ?? null) === handle);
  return taken === undefined ? { kind: "after", source, sourceHandle: handle } : { kind: "edge", edgeId: taken.id };
}
