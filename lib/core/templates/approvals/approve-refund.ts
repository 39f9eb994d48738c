import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";

const answer = (id: string, name: string, status: string) =>
  step(id, "return_output", {
    name,
    properties: [
      { name: "order_id", type: "string", required: true, value: "{{action_input.order_id}}" },
      { name: "status", type: "string", required: true, value: status },
    ],
  });

export const approveRefund: TemplateObject = {
  template_id: "approve-refund",
  name: "Approve a refund",
  about: "Approves small refunds at once and waits for a person to approve large ones.",
  purpose: "approvals",
  starts: "call",
  needs: [],
  sample_input: { order_id: "A-10492", amount: 240, reason: "Arrived damaged" },
  definition: draw(
    [
      step("input", "action_input", {
        name: "Refund",
        properties: [
          { name: "order_id", type: "string", required: true },
          { name: "amount", type: "number", required: true },
          { name: "reason", type: "string", required: false },
        ],
      }),
      step("is_large", "condition", {
        name: "More than 100?",
        match: "all",
        rules: [{ left: "{{action_input.amount}}", operator: "greater_than", right: 100 }],
      }),
      step("approval", "approval", {
        name: "Ask for approval",
        message: 'Refund {{action_input.amount}} for order {{action_input.order_id}}? {{action_input.reason ?? ""}}',
      }),
      answer("refunded", "Refunded after approval", "refunded"),
      answer("refused", "Refused", "refused"),
      answer("passed", "Refunded automatically", "refunded"),
    ],
    "input>is_large",
    "is_large.true>approval",
    "approval.approved>refunded",
    "approval.rejected>refused",
    "is_large.false>passed",
  ),
};
