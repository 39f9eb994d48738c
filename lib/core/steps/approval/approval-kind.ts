import { closedObject, NULL, scalar, unionShape } from "#lib/core/shapes/shape";
import { defineStepKind } from "#lib/core/steps/define-step-kind";

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
  keywords: "approve gate human review confirm reject hold ask person",
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
  // A branch that a rejected or expired request does not take would only look like one; what follows an approval must
  // not start without it.
  canFail: false,
  repeatsSettings: false,
  effects: "waits",
  waitsFor: "decision",
  handler: async () => (await import("#lib/core/steps/approval/approval")).prepareApproval,
});
