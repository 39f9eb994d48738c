import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

const SCHEMA = {
  type: "object",
  properties: {
    urgency: { type: "string", enum: ["high", "normal", "spam"] },
    summary: { type: "string" },
  },
  required: ["urgency", "summary"],
  additionalProperties: false,
};

const level = (id: string, name: string) => ({
  id,
  name,
  match: "all",
  rules: [{ left: "{{classify.object.urgency}}", operator: "equals", right: id }],
});

export const triageEmail: TemplateObject = {
  template_id: "triage-email",
  name: "Triage emails with AI",
  about: "A model rates each new email. Urgent ones go to a Telegram chat, and spam is marked as read.",
  purpose: "ai",
  starts: "connector",
  needs: [
    "A connection to a mailbox",
    "A connection to an LLM provider",
    "A connection to Telegram",
    "The chat of your team",
  ],
  sample_input: {
    output: {
      event: "new_email",
      id: "1/1/INBOX",
      connector: "email",
      data: {
        uid: 1,
        subject: "The shop is down",
        from: [{ name: "Ada Lovelace", address: "ada@example.com" }],
        text: "No one can pay since 9:00.",
      },
      occurred_at: "2026-01-15T09:05:00.000Z",
    },
  },
  definition: draw(
    [
      step("mail", "trigger", {
        name: "New email",
        kind: "connector",
        connector: "email",
        event: "new_email",
        params: {},
      }),
      step("classify", "llm", {
        name: "Rate",
        model: "gpt-4.1-mini",
        system: "You rate the urgency of an email to a web shop and summarize it in one sentence.",
        prompt: '{{trigger.output.data.subject}}\n\n{{trigger.output.data.text ?? ""}}',
        output_schema: SCHEMA,
        maxRetries: 2,
      }),
      step("urgency", "switch", { name: "Urgency", cases: [level("high", "High"), level("spam", "Spam")] }),
      call("alert", "Alert", "telegram.send_message", { chat_id: "@your_team", text: "{{classify.object.summary}}" }),
      call("ignore", "Mark as read", "email.mark_read", { uid: "{{trigger.output.data.uid}}" }),
    ],
    "mail>classify",
    "classify>urgency",
    "urgency.high>alert",
    "urgency.spam>ignore",
  ),
};
