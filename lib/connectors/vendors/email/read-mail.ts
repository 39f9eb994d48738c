import type {
  FetchMessageObject,
  FetchQueryObject,
  ImapFlow,
  MessageAddressObject,
  MessageStructureObject,
} from "imapflow";

/** The limit for the text and for the HTML; anything longer is cut. */
const TEXT_BYTES = 200_000;

export const OVERVIEW: FetchQueryObject = {
  uid: true,
  envelope: true,
  bodyStructure: true,
  flags: true,
  internalDate: true,
  size: true,
  headers: ["references"],
};

/** Presents a message without its text. */
export function overviewOf(message: FetchMessageObject, mailbox: string) {
  const { uid, envelope, flags, size, internalDate, headers, bodyStructure } = message;
  return {
    mailbox,
    uid,
    message_id: envelope?.messageId ?? null,
    in_reply_to: envelope?.inReplyTo ?? null,
    references: referencesOf(headers),
    subject: envelope?.subject ?? "",
    from: addressesOf(envelope?.from),
    to: addressesOf(envelope?.to),
    cc: addressesOf(envelope?.cc),
    reply_to: addressesOf(envelope?.replyTo),
    date: isoOf(envelope?.date),
    received_at: isoOf(internalDate),
    is_read: flags?.has("\\Seen") ?? false,
    is_flagged: flags?.has("\\Flagged") ?? false,
    size: size ?? 0,
    attachments: partsOf(bodyStructure).attachments,
  };
}

/** Returns a message with its text, or null if the UID no longer exists. Reading does not mark the message as read. */
export async function readMail(client: ImapFlow, uid: number, mailbox: string) {
  const message = await client.fetchOne(String(uid), OVERVIEW, { uid: true });
  if (!message) return null;
  const { text, html } = partsOf(message.bodyStructure);
  const [plain, rich] = [await readText(client, uid, text), await readText(client, uid, html)];
  return {
    ...overviewOf(message, mailbox),
    text: plain?.content ?? null,
    html: rich?.content ?? null,
    is_truncated: (plain?.isCut ?? false) || (rich?.isCut ?? false),
  };
}

async function readText(client: ImapFlow, uid: number, part: string | null) {
  if (part === null) return null;
  const { content } = await client.download(String(uid), part, { uid: true, maxBytes: TEXT_BYTES + 1 });
  if (!content) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk as Buffer | string));
  const whole = Buffer.concat(chunks);
  // The cut may have split a multi-byte character.
  const kept = whole
    .subarray(0, TEXT_BYTES)
    .toString("utf8")
    .replace(/\uFFFD$/, "");
  return { content: kept.replace(/\r\n/g, "\n"), isCut: whole.byteLength > TEXT_BYTES };
}

interface MailParts {
  /** Finds the first plain text and the first HTML part that are not attachments. */
  text: string | null;
  html: string | null;
  attachments: { part: string; filename: string | null; content_type: string; size: number }[];
}

function partsOf(structure: MessageStructureObject | undefined): MailParts {
  const parts: MailParts = { text: null, html: null, attachments: [] };
  for (const leaf of leavesOf(structure)) {
    const { type, size = 0, disposition, dispositionParameters, parameters } = leaf;
    const part = leaf.part ?? "1";
    const filename = dispositionParameters?.filename ?? parameters?.name ?? null;
    const isAttached = disposition === "attachment" || filename !== null;
    if (!isAttached && type === "text/plain" && parts.text === null) parts.text = part;
    else if (!isAttached && type === "text/html" && parts.html === null) parts.html = part;
    else parts.attachments.push({ part, filename, content_type: type, size });
  }
  return parts;
}

function leavesOf(node: MessageStructureObject | undefined): MessageStructureObject[] {
  if (!node) return [];
  return node.childNodes ? node.childNodes.flatMap(leavesOf) : [node];
}

function addressesOf(list: readonly MessageAddressObject[] | undefined) {
  return (list ?? []).flatMap(({ name, address }) => (address ? [{ name: name || null, address }] : []));
}

function referencesOf(headers: Buffer | undefined): string[] {
  return headers?.toString("utf8").match(/<[^<>\s]+>/g) ?? [];
}

function isoOf(date: Date | string | undefined): string | null {
  const at = new Date(date ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
