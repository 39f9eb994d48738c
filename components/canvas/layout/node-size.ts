import type { Definition, GraphNode } from "#lib/contract/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import {
  CARD_WIDTH,
  estimateCardHeight,
  FRAME_BOTTOM,
  FRAME_HEIGHT_MIN,
  FRAME_PADDING,
  FRAME_WIDTH_MIN,
  type Size,
  type Sizes,
} from "@/components/canvas/document/dimensions";
import { framesOf } from "@/components/canvas/document/frames";
import { listFacts } from "@/components/canvas/kinds/list-facts";
import { summarizeNode, summaryLength } from "@/components/canvas/kinds/summarize-node";

/**
 * Returns a card's size as measured by the browser, or estimated from its content. A loop is as large as its body
 * needs.
 */
export function nodeSize(definition: Definition, node: GraphNode, sizes: Sizes): Size {
  if (STEP_KINDS[node.type].holdsBody) return frameSize(definition, node.id, sizes);
  const measured = sizes[node.id];
  if (measured !== undefined) return measured;
  const height = estimateCardHeight(summaryLength(summarizeNode(node)), listFacts(node).length > 0);
  return { width: CARD_WIDTH, height };
}

function frameSize(definition: Definition, loopId: string, sizes: Sizes): Size {
  const size = { width: FRAME_WIDTH_MIN, height: FRAME_HEIGHT_MIN };
  for (const node of framesOf(definition).bodyOf.get(loopId) ?? []) {
    const { width, height } = nodeSize(definition, node, sizes);
    size.width = Math.max(size.width, node.position.x + width + FRAME_PADDING);
    size.height = Math.max(size.height, node.position.y + height + FRAME_BOTTOM);
  }
  return size;
}
