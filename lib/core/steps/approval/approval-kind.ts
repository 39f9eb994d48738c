import { z } from "zod";
import { defineStepKind } from "#lib/core/steps/define-step-kind";
import { label } from "#lib/core/steps/node-data";

export const approvalKind = defineStepKind({
  type: "approval",
  title: "Approval",
  category: "logic",
  description: "Wait for a person to approve or reject",
  guidance: "If no edge has the handle rejected, a rejection cancels the run.",
  keywords: "gate human review confirm reject hold",
  data: z.object({ ...label, message: z.string().max(2_000, "must be at most 2000 characters long").nullish() }),
  newData: () => ({ message: "" }),
  example: { message: "Refund {{action_input.amount}}?" },
  least: {},
  output: "{approved, comment, decided_by}",
  outputFields: () => [
    { path: ["approved"], type: "boolean", description: "Whether the request was approved" },
    { path: ["comment"], type: "string", description: "The comment of the person who decided" },
    { path: ["decided_by"], type: "object", description: "Who decided: type, id and name" },
    { path: ["decided_by", "name"], type: "string", description: "The name of the person who decided" },
  ],
  branches: () => [
    { handle: "approved", label: "Approved" },
    { handle: "rejected", label: "Rejected" },
  ],
  chosenHandle: (output) => ((output as { approved: boolean }).approved ? "approved" : "rejected"),
  namelessHandle: "approved",
  templates: ["message"],
  effects: "waits",
  handler: async () => (await import("#lib/core/steps/approval/approval")).prepareApproval,
});
