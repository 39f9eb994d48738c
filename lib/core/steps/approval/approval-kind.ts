import { z } from "zod";
import { closedObject, NULL, scalar, unionShape } from "#lib/core/shapes/shape";
import { defineStepKind } from "#lib/core/steps/define-step-kind";
import { label } from "#lib/core/steps/node-data";

const NULLABLE_TEXT = unionShape([scalar("string"), NULL]);
/** Null if no one decided, because the request expired. */
const DECIDED_BY = unionShape([
  closedObject(["type", scalar("string")], ["id", NULLABLE_TEXT], ["name", NULLABLE_TEXT]),
  NULL,
]);

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
  outputShape: () =>
    closedObject(
      ["approved", scalar("boolean"), "Whether the request was approved"],
      ["comment", NULLABLE_TEXT, "The comment of the person who decided"],
      ["decided_by", DECIDED_BY, "Who decided: type, id and name"],
    ),
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
