import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";

export const quoteByForm: TemplateObject = {
  template_id: "quote-by-form",
  name: "Quote by form",
  about: "Shows a form to the public, computes a price from the answers, and shows it on the page.",
  purpose: "sales",
  starts: "form",
  needs: [],
  sample_input: {
    output: {
      body: { email: "ada@example.com", seats: 12, billing: "Yearly" },
      timestamp: "2026-01-15T09:00:00.000Z",
    },
  },
  definition: draw(
    [
      step("form", "trigger", {
        name: "Form",
        kind: "form",
        title: "What will it cost?",
        description: "The price depends on the number of people who will use it.",
        fields: [
          { name: "email", label: "Your email", type: "email", required: true },
          { name: "seats", label: "Number of people", type: "integer", required: true },
          { name: "billing", label: "Billing", type: "choice", required: true, options: ["Monthly", "Yearly"] },
        ],
        submit_label: "Show the price",
        answer: { type: "result", wait_seconds: 10, text: "We will send you the price by email." },
      }),
      step("price", "transform", {
        name: "Price",
        jsonata: '{"total": trigger.output.body.seats * (trigger.output.body.billing = "Yearly" ? 100 : 10)}',
      }),
      step("answer", "return_output", {
        name: "Answer",
        properties: [
          { name: "price_in_EUR", type: "number", required: true, value: "{{price.total}}" },
          { name: "billing", type: "string", required: true, value: "{{trigger.output.body.billing}}" },
        ],
      }),
    ],
    "form>price",
    "price>answer",
  ),
};
