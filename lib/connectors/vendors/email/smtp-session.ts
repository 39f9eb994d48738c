import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createTransport } from "nodemailer";
import type SMTPTransport from "nodemailer/lib/smtp-transport";
import { z } from "zod";
import { MailRefusal } from "#lib/connectors/vendors/email/mail-refusal";
import type { MailSession } from "#lib/connectors/vendors/email/mail-session";
import type { MailSocket } from "#lib/connectors/vendors/email/mail-socket";
import { withMailSocket } from "#lib/connectors/vendors/email/with-mail-socket";
import { LIMITS } from "#lib/contract/limits";

const GREETING_TIMEOUT_MS = 5_000;
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
 * @throws MailRefusal, StepError at a limit, or what nodemailer throws
 */
export function askSmtp(session: MailSession): Promise<object> {
  return withMailSocket(session, LIMITS.smtpCallBytes, async (socket) => {
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
      transport.close();
    }
  });
}

function transportOf({ target: { host, port, security }, login }: MailSession, socket: MailSocket) {
  const options: SMTPTransport.Options = {
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    auth: "accessToken" in login ? { type: "OAuth2", ...login } : login,
    // nodemailer uses only what every stream has, and setTimeout.
    getSocket: (_options, done) => done(null, { connection: socket as Duplex as Socket }),
    greetingTimeout: GREETING_TIMEOUT_MS,
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
  // The second one is a refused access token.
  if (code === "EAUTH" || code === "EOAUTH2") return new MailRefusal(401, words);
  if (code === "EENVELOPE" || code === "EMESSAGE" || typeof responseCode === "number")
    return new MailRefusal(400, words);
  return null;
}
