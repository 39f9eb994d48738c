import { z } from "zod";
import type { TriggerDefinition } from "#lib/connectors/sdk/define-trigger";
import { callMail } from "#lib/connectors/vendors/email/call-mail";
import { mail, mailboxParam } from "#lib/connectors/vendors/email/mail-schemas";

const AT_ONCE = 10;

const params = z.object({ mailbox: mailboxParam });

const found = z.object({
  messages: z.array(mail.extend({ uidvalidity: z.string() })),
  cursor: z.record(z.string(), z.union([z.string(), z.number()])),
  has_more: z.boolean(),
});

export const EMAIL_TRIGGERS: Readonly<Record<string, TriggerDefinition>> = {
  new_email: {
    title: "New email",
    description: "A message arrives in the folder or is moved there.",
    docs: "https://www.rfc-editor.org/rfc/rfc9051#section-2.3.1.1",
    params,
    data: mail.extend({ uidvalidity: z.string().describe("Changes if the folder is recreated.") }),
    example: {
      mailbox: "INBOX",
      uid: 4711,
      uidvalidity: "1",
      message_id: "<a1b2c3@example.com>",
      in_reply_to: null,
      references: [],
      subject: "An offer",
      from: [{ name: "Ada Lovelace", address: "ada@example.com" }],
      to: [{ name: null, address: "sales@example.com" }],
      cc: [],
      reply_to: [],
      date: "2026-01-05T10:00:00.000Z",
      received_at: "2026-01-05T10:00:01.000Z",
      is_read: false,
      is_flagged: false,
      size: 2_048,
      attachments: [{ part: "2", filename: "offer.pdf", content_type: "application/pdf", size: 1_024 }],
      text: "Dear Sir or Madam …",
      html: null,
      is_truncated: false,
    },
    poll: {
      everySeconds: 60,
      list: async (service, { cursor, params: given }) => {
        const mailbox = params.parse(given).mailbox ?? "INBOX";
        const asked = { params: { mailbox, cursor, limit: AT_ONCE }, answer: found };
        const { messages, cursor: next, has_more: isMore } = await callMail(service, "imap", "new", asked);
        return {
          events: messages.map((message) => ({
            event: "new_email",
            id: `${message.uidvalidity}/${message.uid}/${message.mailbox}`,
            occurredAt: message.received_at === null ? null : new Date(message.received_at),
            data: message,
          })),
          cursor: next,
          isMore,
        };
      },
    },
  },
};
