import type { ImapFlow, SearchObject } from "imapflow";
import { z } from "zod";
import { MailRefusal } from "#lib/connectors/vendors/email/mail-refusal";
import { OVERVIEW, overviewOf, readMail } from "#lib/connectors/vendors/email/read-mail";

const mailCursor = z.object({
  uidvalidity: z.string(),
  /** The UID of the first message that is new. */
  next: z.number(),
  /** When the newest message seen so far arrived, in epoch milliseconds by the server's clock. */
  received_at: z.number(),
});
type MailCursor = z.output<typeof mailCursor>;

/** The params of all commands; each command reads the ones it needs. */
export const imapParams = z.object({
  mailbox: z.string().min(1).default("INBOX"),
  uid: z.number().int().positive().default(1),
  to: z.string().default(""),
  add: z.array(z.string()).default([]),
  remove: z.array(z.string()).default([]),
  is_permanent: z.boolean().default(false),
  limit: z.number().int().positive().default(20),
  before_uid: z.number().int().positive().nullish(),
  criteria: z.record(z.string(), z.union([z.string(), z.boolean()])).default({}),
  cursor: mailCursor.nullish(),
});
export type ImapParams = z.output<typeof imapParams>;

interface ImapCommand {
  isReading: boolean;
  /** @throws MailRefusal, or what imapflow throws */
  run(client: ImapFlow, params: ImapParams): Promise<object>;
}

export const IMAP_COMMANDS: Readonly<Record<string, ImapCommand>> = {
  check: { isReading: true, run: async (client) => ({ messages: client.mailbox ? client.mailbox.exists : 0 }) },
  folders: { isReading: true, run: listFolders },
  search: { isReading: true, run: search },
  get: { isReading: true, run: get },
  new: { isReading: true, run: listNew },
  flag: { isReading: false, run: flag },
  move: { isReading: false, run: move },
  delete: { isReading: false, run: remove },
};

async function listFolders(client: ImapFlow) {
  const folders = await client.list();
  return {
    folders: folders.map(({ path, specialUse, flags }) => ({ path, use: specialUse ?? null, flags: [...flags] })),
  };
}

async function search(client: ImapFlow, { criteria, limit, before_uid: before }: ImapParams) {
  const { message_id: messageId, ...plain } = criteria;
  const query: SearchObject = Object.keys(plain).length > 0 ? plain : { all: true };
  if (typeof messageId === "string") query.header = { "message-id": messageId };
  const uids = (await uidsOf(client, query)).filter((uid) => !before || uid < before);
  const shown = uids.slice(-limit);
  const messages = shown.length > 0 ? await client.fetchAll(shown.join(","), OVERVIEW, { uid: true }) : [];
  return {
    messages: messages.sort((a, b) => b.uid - a.uid).map((message) => overviewOf(message, pathOf(client))),
    has_more: shown.length < uids.length,
  };
}

async function get(client: ImapFlow, { uid }: ImapParams) {
  const mail = await readMail(client, uid, pathOf(client));
  if (mail) return mail;
  throw noSuchMessage(client, uid);
}

/** Lists messages that arrived after the cursor, in order of arrival. */
async function listNew(client: ImapFlow, { cursor, limit }: ImapParams) {
  const uidvalidity = String(client.mailbox ? client.mailbox.uidValidity : 0);
  const next = await uidNext(client);
  if (!cursor) return { messages: [], cursor: { uidvalidity, next, received_at: 0 }, has_more: false };
  const isSame = cursor.uidvalidity === uidvalidity;
  const uids = isSame ? await uidsOf(client, { uid: `${cursor.next}:*` }) : await uidsSince(client, cursor);
  // `n:*` always includes the last message, even if its UID is below n.
  const fresh = uids.filter((uid) => !isSame || uid >= cursor.next);
  const taken = fresh.slice(0, limit);
  const messages = [];
  for (const uid of taken) {
    const mail = await readMail(client, uid, pathOf(client));
    // Null if the message was moved or deleted in the meantime.
    if (mail) messages.push({ ...mail, uidvalidity });
  }
  const last = taken.at(-1);
  const times = messages.map(({ received_at: at }) => (at === null ? 0 : Date.parse(at)));
  return {
    messages,
    cursor: {
      uidvalidity,
      next: last === undefined ? Math.max(next, isSame ? cursor.next : 0) : last + 1,
      received_at: Math.max(cursor.received_at, ...times),
    },
    has_more: taken.length < fresh.length,
  };
}

/**
 * Finds new messages in a recreated mailbox. All UIDs have changed, so only the arrival time identifies what is new.
 */
async function uidsSince(client: ImapFlow, { received_at: after }: MailCursor): Promise<number[]> {
  if (after === 0) return [];
  // IMAP searches by whole days.
  const sameDay = await uidsOf(client, { since: new Date(after - 86_400_000) });
  if (sameDay.length === 0) return [];
  const messages = await client.fetchAll(sameDay.join(","), { uid: true, internalDate: true }, { uid: true });
  return messages
    .filter(({ internalDate }) => new Date(internalDate ?? 0).getTime() > after)
    .map(({ uid }) => uid)
    .sort((a, b) => a - b);
}

async function flag(client: ImapFlow, { uid, add, remove: removed }: ImapParams) {
  await requireMessage(client, uid);
  if (add.length > 0) await client.messageFlagsAdd(String(uid), add, { uid: true });
  if (removed.length > 0) await client.messageFlagsRemove(String(uid), removed, { uid: true });
  return { mailbox: pathOf(client), uid };
}

async function move(client: ImapFlow, { uid, to }: ImapParams) {
  await requireMessage(client, uid);
  const moved = await client.messageMove(String(uid), to, { uid: true });
  if (!moved) throw new MailRefusal(404, `The message can't be moved to ${to}: the folder does not exist`);
  return { mailbox: moved.destination, uid: moved.uidMap?.get(uid) ?? null };
}

async function remove(client: ImapFlow, params: ImapParams) {
  const { uid, is_permanent: isPermanent } = params;
  const trash = isPermanent ? null : await findTrash(client);
  if (trash !== null && trash !== pathOf(client)) return move(client, { ...params, to: trash });
  await requireMessage(client, uid);
  await client.messageDelete(String(uid), { uid: true });
  return { mailbox: null, uid: null };
}

async function findTrash(client: ImapFlow): Promise<string | null> {
  return (await client.list()).find(({ specialUse }) => specialUse === "\\Trash")?.path ?? null;
}

/** @throws MailRefusal */
async function requireMessage(client: ImapFlow, uid: number): Promise<void> {
  if ((await uidsOf(client, { uid: String(uid) })).length === 0) throw noSuchMessage(client, uid);
}

function noSuchMessage(client: ImapFlow, uid: number): MailRefusal {
  return new MailRefusal(404, `There is no message ${uid} in ${pathOf(client)}`);
}

async function uidsOf(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const found = await client.search(query, { uid: true });
  if (Array.isArray(found)) return found.toSorted((a, b) => a - b);
  throw new MailRefusal(400, "The server rejected this search");
}

/** RFC 3501 allows a server to keep UIDNEXT to itself. */
async function uidNext(client: ImapFlow): Promise<number> {
  const told = client.mailbox ? client.mailbox.uidNext : 0;
  return told || ((await uidsOf(client, { all: true })).at(-1) ?? 0) + 1;
}

function pathOf({ mailbox }: ImapFlow): string {
  return mailbox ? mailbox.path : "";
}
