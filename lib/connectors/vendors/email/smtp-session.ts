import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createTransport } from "nodemailer";
import type SMTPTransport from "nodemailer/lib/smtp-transport";
import { z } from "zod";
import { MailRefusal } from "#lib/connectors/vendors/email/mail-refusal";
import type { MailSession } from "#lib/connectors/vendors/email/mail-session";

const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 20_000;

const addresses = z.array(z.string()).default([]);
const outgoingMail = z.object({
  from: z.string(),
  to: addresses,
  cc: addresses,
  bcc: addresses,
  reply_to: addresses,
  subject: z.string().default(""),
  text: z.string().optional(),
  html: z.string().optional(),
  in_reply_to: z.string().optional(),
  references: z.array(z.string()).default([]),
});

/**
 * Signs in to an SMTP server and sends one message, unless the command only checks the login.
 * @throws MailRefusal, or what nodemailer throws
 */
export async function askSmtp(session: MailSession): Promise<object> {
  const socket = await openSocket(session);
  const stop = () => socket.destroy();
  session.signal.addEventListener("abort", stop, { once: true });
  const transport = transportOf(session, socket);
  try {
    if (session.target.command === "check") {
      await transport.verify();
      return {};
    }
    return sentOf(await transport.sendMail(messageOf(session)));
  } catch (error) {
    throw readSmtpFailure(error) ?? error;
  } finally {
    session.signal.removeEventListener("abort", stop);
    transport.close();
    socket.destroy();
  }
}

/** Our own connection, because nodemailer would resolve the name itself. */
async function openSocket({ target: { host, port }, lookup, signal }: MailSession): Promise<Socket> {
  const socket = connect({ host, port, lookup });
  const patience = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_TIMEOUT_MS)]);
  try {
    await once(socket, "connect", { signal: patience });
    return socket;
  } catch (error) {
    socket.destroy();
    if (!patience.aborted || signal.aborted) throw error;
    throw Object.assign(new Error(`no connection within ${CONNECT_TIMEOUT_MS / 1000} s`), { code: "ETIMEDOUT" });
  }
}

function transportOf({ target: { host, port, security }, user, password }: MailSession, socket: Socket) {
  const options: SMTPTransport.Options = {
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    auth: { user, pass: password },
    getSocket: (_options, done) => done(null, { connection: socket }),
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
    // Content that a workflow writes into a message must not make the service read files or call addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return createTransport(options);
}

function messageOf({ params, headers }: MailSession) {
  const { reply_to: replyTo, in_reply_to: inReplyTo, references, ...mail } = outgoingMail.parse(params);
  const all = inReplyTo ? [...new Set([...references, inReplyTo])] : references;
  return { ...mail, replyTo, inReplyTo, references: all, ...messageId(mail.from, headers["idempotency-key"]) };
}

/** The same Message-ID for every attempt of a step with an unknown outcome, so a mailbox can detect the duplicate. */
function messageId(from: string, key: string | undefined): { messageId?: string } {
  const domain = /@([a-z0-9.-]+)>?\s*$/i.exec(from)?.[1];
  if (key === undefined || domain === undefined) return {};
  return { messageId: `<${createHash("sha256").update(key).digest("hex").slice(0, 32)}@${domain}>` };
}

function sentOf({ messageId: id, accepted, rejected, response }: SMTPTransport.SentMessageInfo) {
  const plain = (list: unknown[]) => list.map((item) => (typeof item === "string" ? item : String(item)));
  return { message_id: id, accepted: plain(accepted), rejected: plain(rejected), response };
}

/** The fields that nodemailer puts into its errors. */
interface SmtpError {
  code?: unknown;
  responseCode?: unknown;
  response?: unknown;
}

/** Maps an SMTP server's refusal to an HTTP status, or returns null if the error is not a response of the server. */
function readSmtpFailure(error: unknown): MailRefusal | null {
  if (!(error instanceof Error)) return null;
  const { code, responseCode, response } = error as SmtpError;
  const words = typeof response === "string" && response !== "" ? response : error.message;
  // RFC 5321, 4.2.1: a 4yz reply may succeed later.
  if (typeof responseCode === "number" && responseCode >= 400 && responseCode < 500) return new MailRefusal(503, words);
  if (code === "EAUTH") return new MailRefusal(401, words);
  if (code === "EENVELOPE" || code === "EMESSAGE" || typeof responseCode === "number")
    return new MailRefusal(400, words);
  return null;
}
