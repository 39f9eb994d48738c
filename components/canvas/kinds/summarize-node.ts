import type { GraphNode } from "#lib/contract/graph";
import { CANVAS_KINDS } from "@/components/canvas/kinds/canvas-kinds";
import type { SummaryPart } from "@/components/canvas/kinds/summary-parts";

/** Says in one sentence what the node does. Accepts any draft. */
export function summarizeNode(node: GraphNode): SummaryPart[] {
  return CANVAS_KINDS[node.type].summarize(node.data);
}

/** Counts the characters the sentence takes, chips with their padding: for the layout's estimate. */
export function summaryLength(parts: readonly SummaryPart[]): number {
  return parts.reduce((length, part) => length + part.text.length + (part.kind === "chip" ? 2 : 0), 0);
}
