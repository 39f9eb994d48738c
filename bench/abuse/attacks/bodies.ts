import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Arena, fact, type OpenAttack } from "#bench/abuse/attack";
import { ATTACKER_ADDRESS } from "#bench/abuse/send";
import { LIMITS } from "#lib/contract/limits";

const CONNECTIONS = 600;
const DRIP_MS = 1_000;
/** The time that a busy machine may take to read and refuse the sent bodies. */
const PATIENCE_MS = 20_000;
const MOST_HELD = 64;
const PATHS = [
  "/api/v1/runtime/actions/any/run",
  "/mcp",
  "/webhooks/0198b1a0-0000-7000-8000-000000000000",
  "/api/web/list_runs",
  "/api/auth/callback/credentials",
];
/** The part of the declared body that a connection sends. */
const HABITS = ["nothing", "drip", "almost all"] as const;

/** Holds connections open, with and without a key, and never completes their bodies. */
export const openBodies: OpenAttack = async (arena: Arena) => {
  const sockets: Socket[] = [];
  const answered = new Set<Socket>();
  let held = 0;
  const unanswered = (isMeant: (index: number) => boolean) =>
    sockets.filter((socket, index) => isMeant(index) && !answered.has(socket)).length;
  const withoutKey = () => unanswered((index) => !hasKey(index) && isRest(index));
  const almost = () => unanswered((index) => habitOf(index) === "almost all");
  return {
    run: async (over) => {
      for (let index = 0; index < CONNECTIONS && !over.aborted; index += 1) {
        sockets.push(hold(arena, index, answered));
        if (index % 20 === 19) await sleep(20);
      }
      while (!over.aborted) {
        for (const [index, socket] of sockets.entries())
          if (habitOf(index) === "drip" && socket.writable) socket.write(" ");
        await sleep(DRIP_MS, undefined, { signal: over }).catch(() => {});
      }
      const deadlineMs = performance.now() + PATIENCE_MS;
      while ((withoutKey() > 0 || almost() > MOST_HELD) && performance.now() < deadlineMs) await sleep(50);
      held = sockets.filter((socket) => !socket.destroyed).length;
      for (const socket of sockets) socket.destroy();
    },
    facts: () => [
      fact(
        "a call without a valid key is refused before its body is read",
        withoutKey() === 0,
        `${withoutKey()} waited for`,
      ),
      fact(
        `unread bodies hold at most ${MOST_HELD} MiB`,
        almost() <= MOST_HELD,
        `${almost()} MiB held by ${held} connections`,
      ),
    ],
  };
};

const habitOf = (index: number) => HABITS[index % HABITS.length];
const pathOf = (index: number) => PATHS[Math.floor(index / HABITS.length) % PATHS.length] ?? "/mcp";
/** True for the REST path. MCP is left out: it reads the start of a message to answer a tool call by its id. */
const isRest = (index: number) => pathOf(index) === PATHS[0];
const hasKey = (index: number) => Math.floor(index / (HABITS.length * PATHS.length)) % 2 === 0;

function hold({ url, attacker, tally }: Arena, index: number, answered: Set<Socket>): Socket {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ host, port: Number(port), localAddress: ATTACKER_ADDRESS });
  const key = hasKey(index) ? attacker.headers.authorization : "Bearer svc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  const head = [
    `POST ${pathOf(index)} HTTP/1.1`,
    `host: ${host}:${port}`,
    "content-type: application/json",
    `authorization: ${key}`,
    `content-length: ${LIMITS.bodyBytes}`,
  ];
  socket.on("error", () => tally.add("connection refused or reset"));
  socket.once("data", (data) => {
    answered.add(socket);
    tally.add(/^HTTP\/1\.1 (\d+)/.exec(data.toString("latin1"))?.[1] ?? "not HTTP");
  });
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  if (habitOf(index) === "almost all") socket.write(Buffer.alloc(LIMITS.bodyBytes - 1, 32));
  return socket;
}
