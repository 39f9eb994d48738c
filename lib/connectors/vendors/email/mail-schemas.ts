import { z } from "zod";
import { optionsFrom } from "#lib/contract/action/field-options";

/** Texts that a command to the server holds. A control character would end it (RFC 9051, 4.3). */
export const line = z.string().regex(/^\P{Cc}*$/u, "must be one line");

export const mailboxParam = line
  .min(1)
  .max(255)
  .nullish()
  .meta({ title: "Folder", description: "INBOX if empty.", ...optionsFrom("folders") });

const address = z.object({ name: z.string().nullable(), address: z.string() });

/** A message as lists return it. */
export const mailOverview = z.object({
  mailbox: z.string(),
  uid: z.number().describe("The message's UID in the folder."),
  message_id: z.string().nullable(),
  in_reply_to: z.string().nullable(),
  references: z.array(z.string()),
  subject: z.string(),
  from: z.array(address),
  to: z.array(address),
  cc: z.array(address),
  reply_to: z.array(address),
  date: z.string().nullable().describe("When the message was sent, according to the sender."),
  received_at: z.string().nullable().describe("When the server received the message."),
  is_read: z.boolean(),
  is_flagged: z.boolean(),
  size: z.number(),
  attachments: z.array(
    z.object({ part: z.string(), filename: z.string().nullable(), content_type: z.string(), size: z.number() }),
  ),
});

/** A whole message. Attachments are described but not included. */
export const mail = mailOverview.extend({
  text: z.string().nullable(),
  html: z.string().nullable(),
  is_truncated: z.boolean().describe("Whether the text or the HTML was cut because it was longer than 200,000 bytes."),
});
