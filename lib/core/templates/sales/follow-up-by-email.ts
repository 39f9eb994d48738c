import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

export const followUpByEmail: TemplateObject = {
  template_id: "follow-up-by-email",
  name: "Follow up by email",
  about: "Thanks a person for a request by email, waits for three days, and asks if there are questions.",
  purpose: "sales",
  starts: "call",
  needs: ["A connection to a mailbox"],
  sample_input: { name: "Ada", email: "ada@example.com", wait_seconds: 0 },
  definition: draw(
    [
      step("input", "action_input", {
        name: "Person",
        properties: [
          { name: "name", type: "string", required: true },
          { name: "email", type: "string", required: true },
          { name: "wait_seconds", type: "integer", required: false, default: 259_200, description: "3 days" },
        ],
      }),
      call("thanks", "Thank", "email.send", {
        to: "{{action_input.email}}",
        subject: "Your request",
        text: "Hello {{action_input.name}}, thank you for your request. We sent you our offer.",
      }),
      step("wait", "delay", { name: "Wait for 3 days", seconds: "{{action_input.wait_seconds}}" }),
      call("ask", "Ask", "email.send", {
        to: "{{action_input.email}}",
        subject: "Re: Your request",
        in_reply_to: "{{thanks.message_id}}",
        text: "Hello {{action_input.name}}, do you have questions about our offer?",
      }),
      step("answer", "return_output", {
        name: "Sent",
        properties: [{ name: "sent", type: "integer", required: true, value: 2 }],
      }),
    ],
    "input>thanks",
    "thanks>wait",
    "wait>ask",
    "ask>answer",
  ),
};
