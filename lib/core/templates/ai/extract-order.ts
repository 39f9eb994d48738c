import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";

const SCHEMA = {
  type: "object",
  properties: {
    customer: { type: "string" },
    items: {
      type: "array",
      items: {
        type: "object",
        properties: { product: { type: "string" }, quantity: { type: "integer" } },
        required: ["product", "quantity"],
        additionalProperties: false,
      },
    },
  },
  required: ["customer", "items"],
  additionalProperties: false,
};

export const extractOrder: TemplateObject = {
  template_id: "extract-order",
  name: "Extract an order from text",
  about: "A model turns a free text into an order, and the caller of the webhook gets it as JSON.",
  purpose: "ai",
  starts: "webhook",
  needs: ["A connection to an LLM provider"],
  sample_input: {
    output: { body: { text: "Hi, Ada here. Please send two teapots." }, timestamp: "2026-01-15T09:00:00.000Z" },
  },
  definition: draw(
    [
      step("text", "trigger", {
        name: "Text",
        kind: "webhook",
        scheme: "auto",
        respond: "result",
        wait_seconds: 25,
      }),
      step("extract", "llm", {
        name: "Extract order",
        model: "gpt-4.1-mini",
        system: "You extract the order from a message of a customer.",
        prompt: "{{trigger.output.body.text}}",
        output_schema: SCHEMA,
        maxRetries: 2,
      }),
      step("answer", "return_output", {
        name: "Order",
        properties: [
          { name: "status", type: "integer", required: true, value: 200 },
          { name: "body", type: "object", required: true, value: "{{extract.object}}" },
        ],
      }),
    ],
    "text>extract",
    "extract>answer",
  ),
};
