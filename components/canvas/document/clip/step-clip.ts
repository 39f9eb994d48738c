import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { indexGraph } from "#lib/core/graph/edges";
import { rewriteReferences } from "#lib/core/graph/edits/rewrite-references";
import { outermostOf, placeOf, withBodies } from "@/components/canvas/document/frames";

/** Steps on the clipboard: a self-contained document that both people and this page can read. */
export interface StepClip {
  definition: Definition;
  notes: readonly CanvasNote[];
  /** The workspace that owns the connections in the steps; null for a definition written elsewhere. */
  workspaceId: string | null;
}

/** Distinguishes steps from other documents on the clipboard. */
export const CLIP_MARK = "steps";

/**
 * Returns these steps with everything inside the loops among them, and the lines between them. References to the entry
 * step use the name it has in every workflow. Secrets are left out, because any program can read the clipboard.
 */
export function writeClip(
  definition: Definition,
  nodeIds: Iterable<string>,
  workspaceId: string,
  notes: readonly CanvasNote[] = [],
): string {
  const ids = withBodies(definition, nodeIds);
  const outermost = outermostOf(definition, ids);
  const { entry } = indexGraph(definition);
  const names = new Map(entry === null ? [] : [[entry.id, entry.type]]);
  const nodes = definition.nodes
    .filter((node) => ids.has(node.id))
    .map((node) => {
      const { parentId: _frame, ...free } = node;
      const standing = outermost.has(node.id) ? { ...free, position: placeOf(definition, node) } : node;
      return { ...standing, data: rewriteReferences(withoutSecret(node), names) };
    });
  const edges = definition.edges.filter((edge) => ids.has(edge.source) && ids.has(edge.target));
  const written = notes.length === 0 ? {} : { notes };
  return JSON.stringify({ signalbox: CLIP_MARK, workspace_id: workspaceId, nodes, edges, ...written }, null, 2);
}

function withoutSecret({ type, data }: GraphNode): GraphNode["data"] {
  if (type !== "trigger") return data;
  const { secret: _secret, ...rest } = data;
  return rest;
}
