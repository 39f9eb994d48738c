import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";

export const forwardWebhook: TemplateObject = {
  template_id: "forward-webhook",
  name: "Forward a webhook",
  about: "Receives webhooks from another service and forwards the relevant events over HTTP.",
  purpose: "operations",
  starts: "webhook",
  needs: ["The URL to forward events to"],
  sample_input: {
    output: { body: { type: "order.paid", id: "A-1", total: 42 }, timestamp: "2026-01-15T09:00:00.000Z" },
  },
  definition: draw(
    [
      step("event", "trigger", { name: "Event", kind: "webhook", scheme: "auto" }),
      step("is_paid", "condition", {
        name: "Order paid?",
        match: "all",
        rules: [{ left: "{{trigger.output.body.type}}", operator: "equals", right: "order.paid" }],
      }),
      step("forward", "connector", {
        name: "Forward",
        connector: "http",
        operation: "request",
        params: {
          method: "POST",
          url: "https://example.com/hooks/orders",
          body: {
            order: "{{trigger.output.body.id}}",
            total: "{{trigger.output.body.total}}",
            received_at: "{{trigger.output.timestamp}}",
          },
        },
        maxRetries: 3,
      }),
    ],
    "event>is_paid",
    "is_paid.true>forward",
  ),
};
