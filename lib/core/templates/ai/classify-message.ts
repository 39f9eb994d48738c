import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";

const SCHEMA = {
  type: "object",
  properties: {
    category: { type: "string", enum: ["refund", "question", "complaint"] },
    reply: { type: "string" },
  },
  required: ["category", "reply"],
  additionalProperties: false,
};

const answer = (id: string, name: string, isSent: boolean) =>
  step(id, "return_output", {
    name,
    properties: [
      { name: "category", type: "string", required: true, value: "{{classify.object.category}}" },
      { name: "reply", type: "string", required: true, value: "{{classify.object.reply}}" },
      { name: "approved", type: "boolean", required: true, value: isSent },
    ],
  });

export const classifyMessage: TemplateObject = {
  template_id: "classify-message",
  name: "Classify a message",
  about: "A model classifies a customer's message and drafts a reply, which a person approves.",
  purpose: "ai",
  starts: "call",
  needs: ["A connection to an LLM provider"],
  sample_input: { message: "My parcel arrived damaged. I would like a refund." },
  definition: draw(
    [
      step("input", "action_input", {
        name: "Message",
        properties: [{ name: "message", type: "string", required: true }],
      }),
      step("classify", "llm", {
        name: "Classify and draft a reply",
        model: "gpt-4.1-mini",
        system: "You classify customer messages and draft a short, friendly reply in the customer's language.",
        prompt: "{{action_input.message}}",
        output_schema: SCHEMA,
        maxRetries: 2,
      }),
      step("check", "approval", {
        name: "Review the reply",
        message: "{{classify.object.category}}: {{classify.object.reply}}",
      }),
      answer("approved", "Approved", true),
      answer("rejected", "Rejected", false),
    ],
    "input>classify",
    "classify>check",
    "check.approved>approved",
    "check.rejected>rejected",
  ),
};
