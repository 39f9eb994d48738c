import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";

const CHUNK = Buffer.alloc(65_536, "x");
const DRIP_MS = 500;

interface Habit {
  protocol: "imap" | "smtp";
  /** Sends to the client until it disconnects. */
  speak(socket: Socket): Promise<void>;
}

/** The behavior of hostile mail servers after the client connects. */
export const MAIL_HABITS = {
  "imap-silent": { protocol: "imap", speak: async () => {} },
  "imap-drip": { protocol: "imap", speak: (socket) => drip(socket, "* OK ") },
  "imap-line": { protocol: "imap", speak: (socket) => greet(socket, "* OK ready\r\n", "* OK ", CHUNK) },
  "imap-literal": {
    protocol: "imap",
    speak: (socket) => greet(socket, "* OK ready\r\n", "* 1 FETCH (BODY[] {2000000000}\r\n", CHUNK),
  },
  "imap-lines": {
    protocol: "imap",
    speak: (socket) => greet(socket, "* OK ready\r\n", "", Buffer.from('* LIST () "/" "INBOX"\r\n'.repeat(3_000))),
  },
  "smtp-drip": { protocol: "smtp", speak: (socket) => drip(socket, "220-") },
  "smtp-lines": {
    protocol: "smtp",
    speak: (socket) => greet(socket, "", "", Buffer.from("220-hello\r\n".repeat(6_000))),
  },
  "smtp-line": { protocol: "smtp", speak: (socket) => greet(socket, "", "220 ", CHUNK) },
} as const satisfies Record<string, Habit>;

export type MailHabit = keyof typeof MAIL_HABITS;

interface MailServer {
  ports: Record<MailHabit, number>;
  /** Starts the hostile behavior. Before this call, the server closes every connection at once. */
  misbehave(): void;
}

/** Starts one server per habit. The servers end with the attacker's thread. */
export async function startMailServer(): Promise<MailServer> {
  let isHostile = false;
  const ports = await Promise.all(
    Object.entries<Habit>(MAIL_HABITS).map(async ([name, { speak }]) => {
      const server = createServer((socket) => {
        socket.on("error", () => socket.destroy());
        if (!isHostile) return void socket.destroy();
        speak(socket).catch(() => socket.destroy());
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return [name, (server.address() as AddressInfo).port] as const;
    }),
  );
  return {
    ports: Object.fromEntries(ports) as Record<MailHabit, number>,
    misbehave: () => {
      isHostile = true;
    },
  };
}

async function drip(socket: Socket, start: string): Promise<void> {
  socket.write(start);
  while (!socket.destroyed) {
    await sleep(DRIP_MS);
    socket.write("x");
  }
}

/** Sends the greeting, if there is one, and waits for the first command. Then sends chunks without end. */
async function greet(socket: Socket, greeting: string, start: string, chunk: Buffer): Promise<void> {
  if (greeting !== "") {
    socket.write(greeting);
    await once(socket, "data");
  }
  socket.resume();
  await pipeline(endless(start, chunk), socket);
}

async function* endless(start: string, chunk: Buffer): AsyncGenerator<Buffer> {
  yield Buffer.from(start);
  for (;;) yield chunk;
}
