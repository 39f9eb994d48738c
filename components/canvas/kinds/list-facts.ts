import type { GraphNode } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { formatCount } from "#lib/support/format/format-number";
import { CANVAS_KINDS } from "@/components/canvas/kinds/canvas-kinds";

/** Returns further facts about a node, for the foot of its card. */
export function listFacts(node: GraphNode): string[] {
  return CANVAS_KINDS[node.type].listFacts?.(node.data) ?? listFailureFacts(node);
}

function listFailureFacts({ type, data: { maxRetries, continueOnFailure } }: GraphNode): string[] {
  const facts: string[] = [];
  if (STEP_KINDS[type].canRetry && typeof maxRetries === "number" && maxRetries > 0) {
    facts.push(formatCount(maxRetries, "retry", "retries"));
  }
  if (continueOnFailure === true) facts.push("continues when it fails");
  const [first = "", ...rest] = facts;
  return first === "" ? [] : [first.charAt(0).toUpperCase() + first.slice(1), ...rest];
}
