import type { GraphNode } from "#lib/contract/workflow/graph";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { templateReferences } from "#lib/core/expressions/template-references";
import { findNamedNode } from "#lib/core/graph/edges";
import type { Analysis } from "@/components/canvas/document/analysis";
import { type Known, knownOutput } from "@/components/canvas/samples/known-values";

/** What a list step provides while it works on an item. */
export interface CurrentItem {
  item: unknown;
  index: number;
}

/**
 * Returns the first item of a list step's list, resolved from the known values; undefined if the list is empty or
 * unknown.
 * @param around the loops around the step, whose own current items its list can read, innermost first
 */
export function currentItem(
  analysis: Analysis,
  { data }: GraphNode,
  known: Known,
  around: readonly string[],
): CurrentItem | undefined {
  const scope: Record<string, unknown> = Object.create(null);
  for (const { name } of templateReferences(data.items)) {
    const node = findNamedNode(analysis.index, name);
    if (node === null) return undefined;
    const at = around.indexOf(node.id);
    scope[name] = at === -1 ? knownOutput(known, node.id) : currentItem(analysis, node, known, around.slice(at + 1));
    if (scope[name] === undefined) return undefined;
  }
  try {
    const list = resolveTemplate(data.items, scope);
    return Array.isArray(list) && list.length > 0 ? { item: list[0] ?? null, index: 0 } : undefined;
  } catch {
    return undefined;
  }
}
