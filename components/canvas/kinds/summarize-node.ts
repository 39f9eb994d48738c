import type { GraphNode } from "#lib/contract/workflow/graph";
import { CANVAS_KINDS } from "@/components/canvas/kinds/canvas-kinds";
import type { SummaryPart } from "@/components/canvas/kinds/summary-parts";

/** Describes the node in one sentence. Accepts any draft. */
export function summarizeNode(node: GraphNode): SummaryPart[] {
  return CANVAS_KINDS[node.type].summarize(node.data);
}

/**
 * Counts the characters of the sentence, including the padding of chips, so that the layout can estimate its height.
 */
export function summaryLength(parts: readonly SummaryPart[]): number {
  return parts.reduce((length, part) => length + part.text.length + (part.kind === "chip" ? 2 : 0), 0);
}
