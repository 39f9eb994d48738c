import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

export const announceContact: TemplateObject = {
  template_id: "announce-contact",
  name: "Announce new HubSpot contacts",
  about: "Writes a message to a Telegram chat for each contact that is created in HubSpot.",
  purpose: "sales",
  starts: "connector",
  needs: ["A connection to HubSpot", "A connection to Telegram", "The chat of the sales team"],
  sample_input: {
    output: {
      event: "new_contact",
      id: "512",
      connector: "hubspot",
      data: { id: "512", properties: { email: "ada@example.com", firstname: "Ada", lastname: "Lovelace" } },
      occurred_at: "2026-01-15T09:00:00.000Z",
    },
  },
  definition: draw(
    [
      step("contact", "trigger", {
        name: "New contact",
        kind: "connector",
        connector: "hubspot",
        event: "new_contact",
        params: {},
      }),
      call("announce", "Announce", "telegram.send_message", {
        chat_id: "@your_sales_team",
        text: "New contact: {{trigger.output.data.properties.firstname}} ({{trigger.output.data.properties.email}})",
      }),
    ],
    "contact>announce",
  ),
};
