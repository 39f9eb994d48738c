import type { GraphNode } from "#lib/contract/graph";
import type { PreparedWait } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { toText } from "#lib/core/expressions/to-text";
import { approvalKind } from "#lib/core/steps/approval/approval-kind";
import { parseData } from "#lib/core/steps/parse-data";

/**
 * A gate: waits for a person (decisions, Approvals). Approved, it is left by `approved` and by edges without a handle;
 * rejected, by `rejected` alone. Where no such edge is drawn, rejecting ends the run, and nobody comes here again.
 */
export function prepareApproval(node: GraphNode): PreparedWait<{ message: string | null }> {
  const { message } = parseData(approvalKind, node);
  return {
    resolveInput: (scope) => {
      const text = toText(resolveTemplate(message ?? null, scope)).trim();
      return { message: text === "" ? null : text };
    },
    look: async ({ message }, { nodeId, iteration, services }) => {
      const decision = await services.gates.open({ nodeId, iteration, message });
      if (!decision) return { kind: "wait", wait: { kind: "approval", nodeId, iteration } };
      const { isApproved, comment, decidedBy } = decision;
      return { kind: "here", output: { approved: isApproved, comment, decided_by: decidedBy } };
    },
  };
}
