import addressparser from "nodemailer/lib/addressparser";
import { z } from "zod";
import { collectPages, maxItems } from "#lib/connectors/sdk/collect-pages";
import { connectorOperation, type GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { callMail } from "#lib/connectors/vendors/email/call-mail";
import { line, mail, mailboxParam as mailbox, mailOverview } from "#lib/connectors/vendors/email/mail-schemas";
import { optionsFrom } from "#lib/contract/action/field-options";
import { writtenAs } from "#lib/contract/action/field-places";
import { StepError } from "#lib/contract/run/step-error";
import { isMailAddress } from "#lib/core/expressions/places/mailbox";
import { readWrittenDate } from "#lib/core/schedules/read-written-date";
import { numeric } from "#lib/support/numbers/numeric";

const IMAP = "https://www.rfc-editor.org/rfc/rfc9051#section-6";
const SMTP = "https://www.rfc-editor.org/rfc/rfc5321";

const uid = numeric(z.number().int().positive()).meta({
  title: "UID",
  description: "The uid of the message in its folder.",
});
const SHOWN_CHARACTERS = 80;
const message = z.object({ mailbox, uid });
const EXAMPLE = { uid: 4711 };
const day = z
  .string()
  .refine((text) => readWrittenDate(text.trim()) !== null, "must be a date such as 2026-01-31")
  .nullish();

/** One address, several separated by commas, or a list. */
const addresses = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => (typeof given === "string" ? [given] : given).map((text) => text.trim()).filter(Boolean))
  .superRefine((given, context) => {
    const wrong = findWrongAddress(given);
    if (wrong !== null) context.addIssue({ code: "custom", message: `has "${wrong}", which is not an email address` });
  });
/** What an email says about other messages. It can be a header that was folded. */
const messageIds = z.string().transform((text) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim());
const ADDRESSES = writtenAs("addresses");
const recipients = addresses.nullish();

/** Returns the first address that no mail can be sent to, or null. */
function findWrongAddress(texts: readonly string[]): string | null {
  const parsed = texts.flatMap((text) => addressparser(text, { flatten: true }));
  const wrong = parsed.find(({ address }) => !isMailAddress(address));
  return wrong ? (wrong.address || wrong.name).slice(0, SHOWN_CHARACTERS) : null;
}

const place = z.object({ mailbox: z.string(), uid: z.number().nullable() });

/** Returns the params that have a value; null counts as omitted. */
function present(given: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined));
}

async function setFlags(service: ServiceContext, given: z.output<typeof message>, flags: object) {
  return callMail(service, "imap", "flag", { params: { ...present(given), ...flags }, answer: place });
}

const send = connectorOperation({
  kind: "send",
  title: "Send an email",
  description: "Sends a message to one or more addresses.",
  docs: SMTP,
  params: z
    .looseObject({
      to: addresses.meta({ title: "To", description: "One or more addresses, separated by commas.", ...ADDRESSES }),
      cc: recipients.meta({ title: "Cc", ...ADDRESSES }),
      bcc: recipients.meta({ title: "Bcc", ...ADDRESSES }),
      from: z
        .string()
        .refine((text) => findWrongAddress([text]) === null, "must be an email address")
        .nullish()
        .meta({ title: "From", description: "The sender of the connection if empty.", ...ADDRESSES }),
      reply_to: recipients.meta({ title: "Reply to", ...ADDRESSES }),
      subject: z
        .string()
        .max(998)
        .nullish()
        .meta({ title: "Subject", ...writtenAs("header") }),
      text: z.string().nullish().meta({ title: "Text" }),
      html: z
        .string()
        .nullish()
        .meta({ title: "HTML", ...writtenAs("html") }),
      in_reply_to: messageIds
        .nullish()
        .meta({ title: "In reply to", description: "The message_id of the message you reply to." }),
      references: z
        .array(messageIds)
        .nullish()
        .meta({ title: "References", description: "The references of the message you reply to." }),
    })
    .refine((given) => given.attachments === undefined, {
      path: ["attachments"],
      error: "can't be sent; put a link into the text instead",
    })
    .refine((given) => [given.to, given.cc, given.bcc].some((list) => list && list.length > 0), {
      path: ["to"],
      error: "is required",
    })
    .refine((given) => given.text || given.html, { path: ["text"], error: "is required" }),
  output: z.object({
    message_id: z.string(),
    accepted: z.array(z.string()),
    rejected: z.array(z.string()),
    response: z.string(),
  }),
  example: { to: "ada@example.com", subject: "Your request", text: "Dear Ada, …" },
  run: (service, given) => {
    const from = given.from || service.settings.from || service.settings.user;
    if (!from?.includes("@"))
      throw new StepError(
        "VALIDATION_ERROR",
        "from: is required, because the user of the connection is not an address",
      );
    const answer = z.looseObject({ message_id: z.string() });
    return callMail(service, "smtp", "send", { params: { ...present(given), from }, answer });
  },
});

const foundMails = z.object({ messages: z.array(mailOverview), has_more: z.boolean() });
const PAGE_MAX = 100;
/** Below the first UID, so it means the newest page. */
const FROM_THE_NEWEST = 0;

const search = connectorOperation({
  kind: "search",
  title: "Search emails",
  description: "Returns the newest messages that match, without their text.",
  docs: `${IMAP}.4.4`,
  params: z.object({
    mailbox,
    from: line.nullish().meta({ title: "From", description: "Part of the name or address." }),
    to: line.nullish().meta({ title: "To" }),
    subject: line.nullish().meta({ title: "Subject", description: "Part of the subject." }),
    text: line.nullish().meta({ title: "Text", description: "Text anywhere in the message." }),
    message_id: line.nullish().meta({ title: "Message id" }),
    since: day.meta({ title: "Since", description: "A date such as 2026-01-31." }),
    before: day.meta({ title: "Before", description: "A date such as 2026-01-31." }),
    is_read: z.boolean().nullish().meta({ title: "Read" }),
    is_flagged: z.boolean().nullish().meta({ title: "Flagged" }),
    limit: numeric(z.number().int().min(1).max(PAGE_MAX))
      .nullish()
      .meta({ title: "Page size", description: "20 if empty." }),
    before_uid: numeric(z.number().int().positive()).nullish().meta({
      title: "Before UID",
      description: "The uid of the last message on the previous page.",
    }),
    max_items: maxItems,
  }),
  output: foundMails,
  example: { from: "ada@example.com", is_read: false },
  run: async (service, { mailbox: folder, limit: size, before_uid: before, max_items: limit, ...given }) => {
    const { is_read: seen, is_flagged: flagged, ...rest } = given;
    const criteria = present({ ...rest, seen, flagged });
    const ask = (page: object) => {
      const params = present({ mailbox: folder, criteria, ...page });
      return callMail(service, "imap", "search", { params, answer: foundMails });
    };
    if (!limit) return ask({ limit: size, before_uid: before });
    const from = before ?? FROM_THE_NEWEST;
    const { items: messages, next } = await collectPages(service, { limit, from }, async (below, wanted) => {
      const asked = { limit: Math.min(size ?? PAGE_MAX, wanted), before_uid: below === FROM_THE_NEWEST ? null : below };
      const page = await ask(asked);
      return { items: page.messages, next: page.has_more ? (page.messages.at(-1)?.uid ?? null) : null };
    });
    return { messages, has_more: next !== null };
  },
});

export const EMAIL_OPERATIONS: Readonly<Record<string, GuidedOperation>> = {
  send,
  search,
  get: connectorOperation({
    kind: "read",
    title: "Get an email",
    docs: `${IMAP}.4.5`,
    description: "Returns a message with its text. The message stays unread.",
    params: message,
    output: mail,
    example: EXAMPLE,
    run: (service, given) => callMail(service, "imap", "get", { params: present(given), answer: mail }),
  }),
  mark_read: connectorOperation({
    kind: "update",
    title: "Mark as read",
    docs: `${IMAP}.4.6`,
    description: "Marks a message as read.",
    params: message,
    output: place,
    example: EXAMPLE,
    run: (service, given) => setFlags(service, given, { add: ["\\Seen"] }),
  }),
  mark_unread: connectorOperation({
    kind: "update",
    title: "Mark as unread",
    docs: `${IMAP}.4.6`,
    description: "Marks a message as unread.",
    params: message,
    output: place,
    example: EXAMPLE,
    run: (service, given) => setFlags(service, given, { remove: ["\\Seen"] }),
  }),
  move: connectorOperation({
    kind: "update",
    title: "Move an email",
    docs: `${IMAP}.4.8`,
    description: "Moves a message to another folder. It gets a new uid there.",
    params: message.extend({
      to: line
        .min(1)
        .max(255)
        .meta({ title: "Target folder", ...optionsFrom("folders") }),
    }),
    output: place,
    example: { uid: 4711, to: "Archive" },
    run: (service, given) => callMail(service, "imap", "move", { params: present(given), answer: place }),
  }),
  delete: connectorOperation({
    kind: "delete",
    title: "Delete an email",
    docs: `${IMAP}.4.3`,
    description:
      "Moves a message to the trash. Deletes it permanently if there is no trash folder, or if you ask for it.",
    params: message.extend({ permanently: z.boolean().nullish().meta({ title: "Delete permanently" }) }),
    output: z.object({ mailbox: z.string().nullable(), uid: z.number().nullable() }),
    example: EXAMPLE,
    run: (service, { permanently, ...given }) => {
      const answer = z.object({ mailbox: z.string().nullable(), uid: z.number().nullable() });
      const params = { ...present(given), is_permanent: permanently ?? false };
      return callMail(service, "imap", "delete", { params, answer });
    },
  }),
  list_folders: connectorOperation({
    kind: "search",
    title: "List folders",
    docs: `${IMAP}.3.9`,
    description: "Lists the folders of the mailbox.",
    params: z.object({}),
    output: z.object({ folders: z.array(z.looseObject({ path: z.string(), use: z.string().nullable() })) }),
    example: {},
    run: (service) => {
      const answer = z.object({ folders: z.array(z.looseObject({ path: z.string() })) });
      return callMail(service, "imap", "folders", { params: {}, answer });
    },
  }),
};
