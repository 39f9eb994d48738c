import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { ImapFlow, type ImapTransport, type ImapTransportOptions } from "imapflow";
import { IMAP_COMMANDS, type ImapParams, imapParams } from "#lib/connectors/vendors/email/imap-commands";
import { MailRefusal } from "#lib/connectors/vendors/email/mail-refusal";
import type { MailSession } from "#lib/connectors/vendors/email/mail-session";
import type { MailSocket } from "#lib/connectors/vendors/email/mail-socket";
import { withMailSocket } from "#lib/connectors/vendors/email/with-mail-socket";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";

const GREETING_TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 20_000;
/** How long a server may take to answer the goodbye; the result is already known. */
const GOODBYE_MS = 1_000;
/** What imapflow calls a response that exceeds a limit. */
const TOO_LARGE = ["LineTooLarge", "LiteralTooLarge", "ResponseTooLarge", "TooManyTokens"];

/**
 * Signs in, opens the mailbox, runs one command, and signs out.
 * @returns the result of the command
 * @throws MailRefusal, StepError at a limit, or what imapflow throws
 */
export async function askImap(session: MailSession): Promise<object> {
  const command = Object.hasOwn(IMAP_COMMANDS, session.target.command) ? IMAP_COMMANDS[session.target.command] : null;
  if (!command) throw new MailRefusal(404, "There is no such command");
  const params = imapParams.parse(session.params);
  return withMailSocket(session, LIMITS.imapCallBytes, async (socket) => {
    const client = clientOf(session, socket);
    // Any connection error already rejects the pending command. Without a listener, the event would end the process.
    client.on("error", () => {});
    try {
      await client.connect();
      const answer = await inMailbox(client, params, command);
      await Promise.race([client.logout().catch(() => {}), sleep(GOODBYE_MS, undefined, { ref: false })]);
      return answer;
    } catch (error) {
      throw isTooLarge(error) ? new StepError("data_too_large", `The mail server's response: ${error.message}`) : error;
    } finally {
      client.close();
    }
  });
}

function isTooLarge(error: unknown): error is Error {
  return error instanceof Error && TOO_LARGE.includes(String((error as { code?: unknown }).code));
}

function clientOf({ target, login }: MailSession, socket: MailSocket): ImapFlow {
  return new ImapFlow({
    host: target.host,
    port: target.port,
    secure: target.security === "tls",
    doSTARTTLS: target.security === "starttls",
    transport: transportOver(socket),
    auth: login,
    logger: false,
    disableAutoIdle: true,
    // A few bytes on the connection would become gigabytes.
    disableCompression: true,
    maxLineLength: LIMITS.imapLineBytes,
    maxResponseTokens: LIMITS.imapResponseTokens,
    connectionTimeout: GREETING_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
  });
}

function transportOver(socket: MailSocket): ImapTransport {
  const secured = ({ host, port, servername, tls }: ImapTransportOptions, done: () => void) =>
    connectTls({ ...tls, socket, host, port, ...(servername === undefined ? {} : { servername }) }, done);
  return {
    connect: (options, done) => {
      if (options.secure) return secured(options, done);
      setImmediate(done);
      return socket;
    },
    upgrade: (_plain, options, done) => secured(options, done),
  };
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
