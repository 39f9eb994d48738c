import { ImapFlow } from "imapflow";
import { IMAP_COMMANDS, type ImapParams, imapParams } from "#lib/connectors/vendors/email/imap-commands";
import { MailRefusal } from "#lib/connectors/vendors/email/mail-refusal";
import type { MailSession } from "#lib/connectors/vendors/email/mail-session";

const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 20_000;

/**
 * Signs in, opens the mailbox, runs one command, and signs out.
 * @returns the result of the command
 * @throws MailRefusal, or what imapflow throws
 */
export async function askImap(session: MailSession): Promise<object> {
  const command = Object.hasOwn(IMAP_COMMANDS, session.target.command) ? IMAP_COMMANDS[session.target.command] : null;
  if (!command) throw new MailRefusal(404, "There is no such command");
  const params = imapParams.parse(session.params);
  const client = clientOf(session);
  // Any connection error already rejects the pending command. Without a listener, the event would end the process.
  client.on("error", () => {});
  const stop = () => client.close();
  session.signal.addEventListener("abort", stop, { once: true });
  try {
    await client.connect();
    return await inMailbox(client, params, command);
  } finally {
    session.signal.removeEventListener("abort", stop);
    await client.logout().catch(() => client.close());
  }
}

function clientOf({ target, user, password, lookup }: MailSession): ImapFlow {
  return new ImapFlow({
    host: target.host,
    port: target.port,
    secure: target.security === "tls",
    doSTARTTLS: target.security === "starttls",
    // The lookup reaches the socket even if the connection is not encrypted: this is where addresses are checked.
    tls: { lookup } as object,
    auth: { user, pass: password },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
  });
}

async function inMailbox(
  client: ImapFlow,
  params: ImapParams,
  { isReading, run }: NonNullable<(typeof IMAP_COMMANDS)[string]>,
): Promise<object> {
  // Opened read-only, so reading a message does not mark it as seen.
  await client.mailboxOpen(params.mailbox, { readOnly: isReading });
  return run(client, params);
}
