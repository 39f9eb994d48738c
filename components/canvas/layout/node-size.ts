import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { branchesOf } from "@/components/canvas/document/branches-of";
import { CARD_WIDTH, estimateCardHeight, type Size, type Sizes } from "@/components/canvas/document/dimensions";
import { listFacts } from "@/components/canvas/kinds/list-facts";
import { summarizeNode, summaryLength } from "@/components/canvas/kinds/summarize-node";
import { frameLines } from "@/components/canvas/layout/frame-lines";
import { portsLength } from "@/components/canvas/lines/port-places";

/**
 * Returns a card's size as measured by the browser, or estimated from its content. A loop is as large as its body and
 * the lines in it need.
 */
export function nodeSize(
  definition: Definition,
  node: GraphNode,
  sizes: Sizes,
  orientation: Orientation = "vertical",
): Size {
  if (STEP_KINDS[node.type].holdsBody) return frameLines(definition, node.id, { sizes, orientation, nodeSize }).size;
  const measured = sizes[node.id];
  if (measured !== undefined) return measured;
  const height = estimateCardHeight(summaryLength(summarizeNode(node)), listFacts(node).length > 0);
  const minHeight = portsLength(branchesOf(node, definition.edges), orientation);
  return { width: CARD_WIDTH, height: Math.max(height, minHeight) };
}
