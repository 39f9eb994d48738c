import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

const inform = (id: string, name: string, words: string) =>
  call(id, name, "email.send", {
    to: "{{trigger.output.body.email}}",
    subject: "Your expense",
    text: `Your expense of {{trigger.output.body.amount}} was ${words}. {{check.comment ?? ""}}`,
  });

export const approveExpense: TemplateObject = {
  template_id: "approve-expense",
  name: "Approve an expense",
  about: "Shows an expense form, asks a person to decide, and emails the decision to the employee.",
  purpose: "approvals",
  starts: "form",
  needs: ["A connection to a mailbox"],
  sample_input: {
    output: {
      body: { email: "ada@example.com", amount: 120, purpose: "Train to Hamburg" },
      timestamp: "2026-01-15T09:00:00.000Z",
    },
  },
  definition: draw(
    [
      step("form", "trigger", {
        name: "Expense",
        kind: "form",
        title: "Report an expense",
        fields: [
          { name: "email", label: "Your email", type: "email", required: true },
          { name: "amount", label: "Amount", type: "number", required: true },
          { name: "purpose", label: "What for?", type: "text", required: true },
        ],
        submit_label: "Report",
      }),
      step("check", "approval", {
        name: "Decide",
        message: "{{trigger.output.body.email}}: {{trigger.output.body.amount}} for {{trigger.output.body.purpose}}",
      }),
      inform("approved", "Email: approved", "approved"),
      inform("rejected", "Email: rejected", "rejected"),
    ],
    "form>check",
    "check.approved>approved",
    "check.rejected>rejected",
  ),
};
