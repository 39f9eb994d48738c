import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";

export const answeredWebhook: TemplateObject = {
  template_id: "answer-webhook",
  name: "Answer a webhook",
  about: "Answers the caller of a URL with a status and a body that the workflow computes.",
  purpose: "basics",
  starts: "webhook",
  needs: [],
  sample_input: {
    output: { body: { postcode: "10115" }, timestamp: "2026-01-15T09:00:00.000Z" },
  },
  definition: draw(
    [
      step("request", "trigger", {
        name: "Request",
        kind: "webhook",
        scheme: "auto",
        methods: ["GET"],
        respond: "result",
        wait_seconds: 10,
      }),
      step("is_berlin", "condition", {
        name: "In Berlin?",
        match: "all",
        rules: [{ left: "{{trigger.output.body.postcode}}", operator: "matches", right: "^1[0-4]\\d{3}$" }],
      }),
      step("yes", "return_output", {
        name: "Same day",
        properties: [
          { name: "status", type: "integer", required: true, value: "200" },
          { name: "body", type: "object", required: true, value: '{"delivery": "same day"}' },
        ],
      }),
      step("no", "return_output", {
        name: "Two days",
        properties: [
          { name: "status", type: "integer", required: true, value: "200" },
          { name: "body", type: "object", required: true, value: '{"delivery": "in two days"}' },
        ],
      }),
    ],
    "request>is_berlin",
    "is_berlin.true>yes",
    "is_berlin.false>no",
  ),
};
