import type { Definition } from "#lib/contract/workflow/graph";
import { insertNode } from "@/components/canvas/layout/insert-node";

/**
 * Returns the content of a new callable workflow: an Action Input that leads to a Return Output (contract, Workflows
 * and versions).
 */
export function startCallable(definition: Definition): Definition {
  const origin = { x: 0, y: 0 };
  const first = insertNode(definition, { type: "action_input" }, { kind: "free", position: origin }, {});
  const spot = { kind: "after", source: first.nodeId, sourceHandle: null } as const;
  return insertNode(first.definition, { type: "return_output" }, spot, {}).definition;
}
