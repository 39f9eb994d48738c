import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface Received {
  headers: Headers;
  body: Buffer;
}

/** For tests: starts a webhook receiver whose answers can be set. */
export async function startReceiver() {
  const received: Received[] = [];
  const receiver = {
    url: "",
    /** The URL of a server that accepts a request and never answers it. */
    silentUrl: "",
    received,
    answer: 204,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  const server = createServer(async (request, response) => {
    if (request.url === "/silent") return;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    received.push({ headers, body: Buffer.concat(chunks) });
    response.writeHead(receiver.answer, { location: "http://127.0.0.1:1/" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  receiver.silentUrl = receiver.url.replace("/hooks", "/silent");
  return receiver;
}

interface ReceivedMail {
  to: string[];
  text: string;
}

/** For tests: starts a mail server. It refuses the addresses in `refuses`. */
export async function startMailServer() {
  const mails: ReceivedMail[] = [];
  const refuses = new Set<string>();
  let onRecipient: (() => Promise<void>) | null = null;
  const mailServer = {
    url: "",
    mails,
    refuses,
    /** Holds the next email that comes: `reached` says that it did, and `answer` lets it through. */
    holdNext: () => {
      const [reached, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      onRecipient = () => {
        onRecipient = null;
        reached.resolve();
        return answered.promise;
      };
      return { reached: reached.promise, answer: answered.resolve };
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo: async ({ address }, _session, done) => {
      await onRecipient?.();
      done(refuses.has(address) ? new Error(`no such mailbox: ${address}`) : null);
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        // Nodemailer wraps long lines.
        const text = Buffer.concat(chunks).toString("utf8").replace(/=\r\n/g, "").replaceAll("=3D", "=");
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  mailServer.url = `smtp://127.0.0.1:${port}`;
  return mailServer;
}
