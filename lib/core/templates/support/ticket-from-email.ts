import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

export const ticketFromEmail: TemplateObject = {
  template_id: "ticket-from-email",
  name: "Turn an email into a ticket",
  about: "Creates a HubSpot ticket for each new email, and confirms it to the sender with the number of the ticket.",
  purpose: "support",
  starts: "connector",
  needs: ["A connection to a mailbox", "A connection to HubSpot", "The stage of new tickets"],
  sample_input: {
    output: {
      event: "new_email",
      id: "1/4711/INBOX",
      connector: "email",
      data: {
        uid: 4711,
        message_id: "<a1b2c3@example.com>",
        subject: "The printer is broken",
        from: [{ name: "Ada Lovelace", address: "ada@example.com" }],
        text: "It prints only blank pages.",
      },
      occurred_at: "2026-01-15T09:00:00.000Z",
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
      call("ticket", "Create ticket", "hubspot.create_ticket", {
        properties: { subject: "{{trigger.output.data.subject}}", content: '{{trigger.output.data.text ?? ""}}' },
        stage: "1",
      }),
      call("confirm", "Confirm", "email.send", {
        to: "{{trigger.output.data.from[0].address}}",
        subject: "Re: {{trigger.output.data.subject}}",
        in_reply_to: "{{trigger.output.data.message_id}}",
        text: "We received your message. The number of your ticket is {{ticket.id}}.",
      }),
    ],
    "mail>ticket",
    "ticket>confirm",
  ),
};
