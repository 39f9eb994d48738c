import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

export const formToTelegram: TemplateObject = {
  template_id: "form-to-telegram",
  name: "Send a form to Telegram",
  about: "Shows a question form to the public, and writes each question to a Telegram chat.",
  purpose: "support",
  starts: "form",
  needs: ["A connection to Telegram", "The chat of the support team"],
  sample_input: {
    output: {
      body: { email: "ada@example.com", question: "Where is my order?" },
      timestamp: "2026-01-15T09:00:00.000Z",
    },
  },
  definition: draw(
    [
      step("form", "trigger", {
        name: "Question",
        kind: "form",
        title: "Ask us",
        fields: [
          { name: "email", label: "Your email", type: "email", required: true },
          { name: "question", label: "Your question", type: "long_text", required: true },
        ],
        submit_label: "Ask",
      }),
      call("post", "Post", "telegram.send_message", {
        chat_id: "@your_support_team",
        text: "{{trigger.output.body.email}} asks: {{trigger.output.body.question}}",
      }),
    ],
    "form>post",
  ),
};
