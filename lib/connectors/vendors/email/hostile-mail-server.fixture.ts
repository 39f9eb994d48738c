import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream/promises";

interface HostileMailServer {
  port: number;
  close(): void;
}

/**
 * Starts a mail server that answers with `speak`. A connection that the client closes is not an error.
 * @param speak ends when the server has nothing more to say, while the connection stays open
 */
export async function startHostileServer(speak: (socket: Socket) => Promise<unknown>): Promise<HostileMailServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    speak(socket).catch(() => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Sends `start`, and then `rest` repeatedly until the client disconnects. */
export async function sendForever(socket: Socket, start: string, rest: string): Promise<void> {
  socket.resume();
  await pipeline(async function* () {
    yield start;
    for (;;) yield rest;
  }, socket);
}

/** Greets like an IMAP server and accepts every command, until `answer` answers a command itself. */
export async function speakImap(
  socket: Socket,
  answer: (command: string, tag: string) => Promise<unknown> | null,
): Promise<void> {
  socket.write("* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN] ready\r\n");
  let text = "";
  for await (const chunk of socket) {
    text += String(chunk);
    const lines = text.split("\r\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const [tag = "", ...words] = line.split(" ");
      const own = answer(words.join(" "), tag);
      if (own !== null) await own;
      else socket.write(`${known(words[0] ?? "")}${tag} OK done\r\n`);
    }
  }
}

function known(verb: string): string {
  if (verb === "CAPABILITY") return "* CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN\r\n";
  if (verb === "LIST") return '* LIST () "/" INBOX\r\n';
  if (verb === "EXAMINE" || verb === "SELECT") return "* 1 EXISTS\r\n* OK [UIDVALIDITY 1] .\r\n* OK [UIDNEXT 2] .\r\n";
  return "";
}
