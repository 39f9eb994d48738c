import { useRef } from "react";
import type { GraphNode } from "#lib/contract/graph";
import type { Analysis } from "@/components/canvas/document/analysis";
import type { DataContext } from "@/components/canvas/panel/data/data-node";
import { listDataSteps } from "@/components/canvas/panel/data/list-data-steps";
import type { Known } from "@/components/canvas/samples/known-values";
import { useAnalysis, useKnown } from "@/components/canvas/store/draft-context";

/**
 * Returns the steps whose data a node can use. The result is the same object until something that it depends on
 * changes, so that the tree doesn't render again for every letter that is typed into the node.
 */
export function useDataSteps(node: GraphNode): DataContext {
  const analysis = useAnalysis();
  const known = useKnown();
  const last = useRef<{ parts: readonly unknown[]; context: DataContext } | null>(null);
  const parts = dependenciesOf(analysis, node, known);
  const isSame =
    last.current?.parts.length === parts.length && parts.every((part, at) => part === last.current?.parts[at]);
  if (last.current === null || !isSame) {
    last.current = { parts, context: { analysis, steps: listDataSteps(analysis, node.id, known) } };
  }
  return last.current.context;
}

/** Of the node itself, only the list that it works through changes the data. */
function dependenciesOf({ index, steps }: Analysis, node: GraphNode, known: Known): readonly unknown[] {
  const { nodes, edges } = index.definition;
  const others = nodes.filter((other) => other.id !== node.id);
  return [node.id, node.type, node.data.items, node.parentId, edges, steps, known, ...others];
}
