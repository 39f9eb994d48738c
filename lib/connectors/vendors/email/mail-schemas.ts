import { z } from "zod";
import { optionsFrom } from "#lib/contract/field-options";

export const mailboxParam = z
  .string()
  .min(1)
  .max(255)
  .nullish()
  .meta({ title: "Folder", description: "INBOX when left empty.", ...optionsFrom("folders") });

const address = z.object({ name: z.string().nullable(), address: z.string() });

/** A message as lists show it. */
export const mailOverview = z.object({
  mailbox: z.string(),
  uid: z.number().describe("Its number in the folder."),
  message_id: z.string().nullable(),
  in_reply_to: z.string().nullable(),
  references: z.array(z.string()),
  subject: z.string(),
  from: z.array(address),
  to: z.array(address),
  cc: z.array(address),
  reply_to: z.array(address),
  date: z.string().nullable().describe("As the sender says."),
  received_at: z.string().nullable().describe("As the server says."),
  is_read: z.boolean(),
  is_flagged: z.boolean(),
  size: z.number(),
  attachments: z.array(
    z.object({ part: z.string(), filename: z.string().nullable(), content_type: z.string(), size: z.number() }),
  ),
});

/** A whole message. Of attachments only what they are. */
export const mail = mailOverview.extend({
  text: z.string().nullable(),
  html: z.string().nullable(),
  is_truncated: z.boolean().describe("Whether text or HTML were longer than 200,000 bytes and cut."),
});
