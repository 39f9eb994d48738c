import { createRequire } from "node:module";
import type { AddressInfo, Server, Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import { startVendor, type TestVendor } from "#lib/connectors/sdk/vendor.fixture";

export const MAIL_USER = "ada@example.com";
export const MAIL_PASSWORD = "canary-mail-password";
/** The OAuth client at the provider. */
export const MAIL_APPLICATION = { id: "mail-app", secret: "canary-mail-application" };

interface ImapFolder {
  uidvalidity: number;
  messages: { uid: number; flags: string[]; raw: string }[];
}

/** The part of the server that tests use. The package has no types. */
interface ImapServer {
  server: Server;
  listen(port: number, host: string, done: () => void): void;
  close(done?: () => void): void;
  getMailbox(path: string): ImapFolder;
  appendMessage(folder: string, flags: string[], receivedAt: string | undefined, raw: string): void;
}

/** A mailbox at a provider: an IMAP server that stores it, and an SMTP server that accepts outgoing mail. */
export interface TestMail extends TestVendor {
  imapPort: number;
  smtpPort: number;
  /** The port of a TLS server with an untrusted certificate. */
  untrustedPort: number;
  /** The access token that both servers accept. */
  token: { accessToken: string };
  sent: { from: string; to: string[]; raw: string }[];
  /** The SMTP server's responses to these recipients. */
  refused: Map<string, { responseCode: number; message: string }>;
  deliver(mail: { subject: string; raw?: string; folder?: string; receivedAt?: Date }): number;
  folder(path: string): ImapFolder;
}

const require = createRequire(import.meta.url);
const startImapServer = require("hoodiecrow-imap") as (options: object) => ImapServer;
const PLUGINS = "ID SASL-IR AUTH-PLAIN XOAUTH2 LITERALPLUS UNSELECT UIDPLUS SPECIAL-USE MOVE ENABLE NAMESPACE".split(
  " ",
);

/** For tests: starts real IMAP and SMTP servers on loopback. */
export async function startMail(): Promise<TestMail> {
  const sent: TestMail["sent"] = [];
  const refused: TestMail["refused"] = new Map();
  const token = { accessToken: "canary-mail-token-0" };
  let tokens = 0;
  const provider = await startVendor(({ path, form }) => {
    if (!/\/token$/.test(path)) return null;
    const isKnown =
      form.get("client_id") === MAIL_APPLICATION.id && form.get("client_secret") === MAIL_APPLICATION.secret;
    if (!isKnown) return { status: 401, json: { error: "invalid_client" } };
    tokens += 1;
    token.accessToken = `canary-mail-token-${tokens}`;
    return { json: { access_token: token.accessToken, refresh_token: `canary-refresh-${tokens}`, expires_in: 3_600 } };
  });
  const imap = startImapServer({
    plugins: PLUGINS,
    users: { [MAIL_USER]: { password: MAIL_PASSWORD, xoauth2: token } },
    storage: {
      INBOX: {},
      "": { separator: "/", folders: { Archive: {}, Trash: { "special-use": "\\Trash" } } },
    },
  });
  const untrusted = startImapServer({ secureConnection: true, storage: { INBOX: {} } });
  const smtp = smtpServer(sent, refused, token);
  const [imapPort, smtpPort, untrustedPort] = await Promise.all([imap, smtp, untrusted].map(listening));
  return {
    url: provider.url,
    requests: provider.requests,
    failures: provider.failures,
    token,
    imapPort: imapPort ?? 0,
    smtpPort: smtpPort ?? 0,
    untrustedPort: untrustedPort ?? 0,
    sent,
    refused,
    deliver: ({ subject, raw = plainMail(subject), folder = "INBOX", receivedAt }) => {
      imap.appendMessage(folder, [], receivedAt && imapDate(receivedAt), raw);
      return imap.getMailbox(folder).messages.at(-1)?.uid ?? 0;
    },
    folder: (path) => imap.getMailbox(path),
    close: () => {
      for (const server of [provider, imap, smtp, untrusted]) server.close();
    },
  };
}

function smtpServer(sent: TestMail["sent"], refused: TestMail["refused"], token: TestMail["token"]): SMTPServer {
  return new SMTPServer({
    authMethods: ["PLAIN", "LOGIN", "XOAUTH2"],
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ method, username, password, accessToken }, _session, done) => {
      const isRight = method === "XOAUTH2" ? accessToken === token.accessToken : password === MAIL_PASSWORD;
      const isKnown = username === MAIL_USER && isRight;
      if (isKnown) return done(null, { user: username });
      done(Object.assign(new Error("Authentication credentials invalid"), { responseCode: 535 }));
    },
    onRcptTo: ({ address }, _session, done) => {
      const refusal = refused.get(address);
      done(refusal ? Object.assign(new Error(refusal.message), { responseCode: refusal.responseCode }) : null);
    },
    onData: async (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
      const to = envelope.rcptTo.map(({ address }) => address);
      sent.push({ from, to, raw: Buffer.concat(chunks).toString("utf8") });
      done();
    },
  });
}

async function listening(server: ImapServer | SMTPServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The server responds in many small pieces. Without this, each piece would wait until the previous one is
  // acknowledged.
  server.server.on("connection", (socket: Socket) => socket.setNoDelay(true));
  return (server.server.address() as AddressInfo).port;
}

function plainMail(subject: string): string {
  return [
    "From: Grace Hopper <grace@example.com>",
    "To: Ada Lovelace <ada@example.com>",
    `Subject: ${subject}`,
    `Message-ID: <${subject.replace(/\W/g, "-")}@example.com>`,
    "Date: Mon, 05 Jan 2026 10:00:00 +0000",
    "Content-Type: text/plain; charset=utf-8",
    "",
    `This is ${subject}.`,
  ].join("\r\n");
}

/** RFC 3501, date-time. */
function imapDate(date: Date): string {
  const [, day = "", month = "", year = "", time = ""] =
    /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(date.toUTCString()) ?? [];
  return `${day}-${month}-${year} ${time} +0000`;
}

/** A message with German and Russian text, an attachment, and a thread. */
export const RICH_MAIL = [
  "From: =?utf-8?B?0JDQtNCw?= <ada@example.com>",
  "To: sales@example.com, Bob <bob@example.com>",
  "Cc: cc@example.com",
  "Reply-To: replies@example.com",
  "Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=",
  "Message-ID: <rich@example.com>",
  "In-Reply-To: <before@example.com>",
  "References: <first@example.com>",
  " <before@example.com>",
  "Date: Mon, 05 Jan 2026 10:00:00 +0000",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="outer"',
  "",
  "--outer",
  'Content-Type: multipart/alternative; boundary="inner"',
  "",
  "--inner",
  "Content-Type: text/plain; charset=windows-1251",
  "Content-Transfer-Encoding: base64",
  "",
  "z/Do4uXy",
  "--inner",
  "Content-Type: text/html; charset=utf-8",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "<p>Gr=C3=BC=C3=9Fe</p>",
  "--inner--",
  "--outer",
  'Content-Type: application/pdf; name="offer.pdf"',
  'Content-Disposition: attachment; filename="offer.pdf"',
  "Content-Transfer-Encoding: base64",
  "",
  "JVBERi0=",
  "--outer--",
  "",
].join("\r\n");
