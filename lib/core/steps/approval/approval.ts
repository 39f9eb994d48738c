import type { GraphNode } from "#lib/contract/workflow/graph";
import type { PreparedWait } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { templateBudget } from "#lib/core/expressions/template-budget";
import { toText } from "#lib/core/expressions/to-text";
import { approvalData } from "#lib/core/steps/approval/approval-data";
import { parseData } from "#lib/core/steps/parse-data";

/**
 * Waits for a person to decide (decisions, Approvals). On approval, the run continues along `approved` and edges
 * without a handle; on rejection, only along `rejected`. If no such edge exists, a rejection ends the run, and this
 * step is not executed again.
 */
export function prepareApproval(node: GraphNode): PreparedWait<{ message: string | null }> {
  const { message } = parseData(approvalData, node);
  return {
    resolveInput: (scope, _runInput, unresolved) => {
      const text = toText(resolveTemplate(message ?? null, scope, templateBudget(unresolved), "message")).trim();
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
