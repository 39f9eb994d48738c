import type { GraphNode } from "#lib/contract/graph";
import { CARD_WIDTH, estimateCardHeight, type Size, type Sizes } from "@/components/canvas/dimensions";
import { listFacts } from "@/components/canvas/document/list-facts";
import { summarizeNode, summaryLength } from "@/components/canvas/document/summarize-node";

/** A card's size: as the browser measured it, else as its content lets expect. */
export function nodeSize(node: GraphNode, sizes: Sizes): Size {
  const measured = sizes[node.id];
  if (measured !== undefined) return measured;
  const height = estimateCardHeight(summaryLength(summarizeNode(node)), listFacts(node).length > 0);
  return { width: CARD_WIDTH, height };
}
