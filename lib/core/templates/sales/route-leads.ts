import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

const create = (id: string, name: string, tag: string) =>
  call(id, name, "kommo.create_lead_with_contact", {
    name: "{{trigger.output.body.company}}",
    price: "{{trigger.output.body.budget}}",
    tags: [tag],
    contact: { name: "{{trigger.output.body.name}}", email: "{{trigger.output.body.email}}" },
  });

export const routeLeads: TemplateObject = {
  template_id: "route-leads",
  name: "Route leads by budget",
  about:
    "Receives leads by webhook, creates each one in Kommo with a tag for its size, and reports large ones at once.",
  purpose: "sales",
  starts: "webhook",
  needs: ["A connection to Kommo", "A connection to Telegram", "The chat of the sales team"],
  sample_input: {
    output: {
      body: { company: "Acme", name: "Ada Lovelace", email: "ada@example.com", budget: 25000 },
      timestamp: "2026-01-15T09:00:00.000Z",
    },
  },
  definition: draw(
    [
      step("lead", "trigger", { name: "Lead", kind: "webhook", scheme: "auto" }),
      step("size", "switch", {
        name: "Size",
        cases: [
          {
            id: "large",
            name: "Large",
            match: "all",
            rules: [{ left: "{{trigger.output.body.budget}}", operator: "greater_or_equal", right: 10_000 }],
          },
          {
            id: "medium",
            name: "Medium",
            match: "all",
            rules: [{ left: "{{trigger.output.body.budget}}", operator: "greater_or_equal", right: 1_000 }],
          },
        ],
      }),
      create("large", "Large lead", "large"),
      call("report", "Inform sales", "telegram.send_message", {
        chat_id: "@your_sales_team",
        text: "{{trigger.output.body.company}} has a budget of {{trigger.output.body.budget}}.",
      }),
      create("medium", "Medium lead", "medium"),
      create("small", "Small lead", "small"),
    ],
    "lead>size",
    "size.large>large",
    "large>report",
    "size.medium>medium",
    "size.default>small",
  ),
};
