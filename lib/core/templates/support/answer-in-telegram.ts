import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

const reply = (id: string, name: string, text: string) =>
  call(id, name, "telegram.send_message", { chat_id: "{{trigger.output.data.chat.id}}", text });

const command = (id: string, name: string) => ({
  id,
  name,
  match: "all",
  rules: [{ left: "{{trigger.output.data.text}}", operator: "starts_with", right: `/${id}` }],
});

export const answerInTelegram: TemplateObject = {
  template_id: "answer-in-telegram",
  name: "Answer commands in Telegram",
  about: "A bot that answers /hours and /price, and lists its commands for any other message.",
  purpose: "support",
  starts: "connector",
  needs: ["A connection to Telegram"],
  sample_input: {
    output: {
      event: "new_message",
      id: "1",
      connector: "telegram",
      data: { message_id: 7, date: 1_790_000_000, chat: { id: 4711, type: "private" }, text: "/hours" },
      occurred_at: "2026-01-15T09:00:00.000Z",
    },
  },
  definition: draw(
    [
      step("message", "trigger", {
        name: "Message",
        kind: "connector",
        connector: "telegram",
        event: "new_message",
        params: {},
      }),
      step("command", "switch", { name: "Command", cases: [command("hours", "Hours"), command("price", "Price")] }),
      reply("hours", "Reply hours", "We are open on weekdays from 9:00 to 17:00."),
      reply("price", "Reply price", "A seat costs 10 EUR per month."),
      reply("help", "List commands", "Write /hours or /price."),
    ],
    "message>command",
    "command.hours>hours",
    "command.price>price",
    "command.default>help",
  ),
};
