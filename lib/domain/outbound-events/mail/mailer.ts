import { createTransport } from "nodemailer";
import { env } from "#lib/platform/config/env";

const TIMEOUT_MS = 15_000;

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/**
 * Sends one message.
 * @throws Error in the mail server's words
 */
export type SendMail = (mail: Mail) => Promise<void>;

/** Returns the mailer, or null if the operator has set no mail server (SMTP_URL). */
export function createMailer(): { send: SendMail; close(): void } | null {
  const { SMTP_URL, MAIL_FROM } = env();
  if (SMTP_URL === undefined) return null;
  const times = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const transport = createTransport({ url: SMTP_URL, pool: true, maxConnections: 2, ...times });
  return {
    send: async ({ to, subject, text }) => {
      // A name from an identity provider is one address, whatever commas it has.
      await transport.sendMail({ from: MAIL_FROM, to: { name: "", address: to }, subject, text });
    },
    close: () => transport.close(),
  };
}
