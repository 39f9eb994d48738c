import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

/** The balancer's record of one request. */
export interface Passed {
  /** When the answer arrived, by the monotonic clock. */
  atMs: number;
  tookMs: number;
  method: string;
  path: string;
  /** The answer's status, or CUT or ABANDONED. */
  status: number;
  /** The server that answered. Null if the balancer itself answered. */
  server: string | null;
  /** The number of times that the request was sent to another server after a failure. */
  resent: number;
}

/** A round-robin balancer. Each request goes to the next server whose `/readyz` answers 200. */
export interface Balancer {
  url: string;
  passed: readonly Passed[];
  add(server: string): void;
  /** Lists the servers that are ready now. */
  ready(): string[];
  close(): Promise<void>;
}

/**
 * Recorded instead of a status if the server's connection was lost, and the client's connection was closed without a
 * complete answer.
 */
export const CUT = 0;
/** Recorded instead of a status if the client closed its connection. */
const ABANDONED = -1;

interface Server {
  url: string;
  isReady: boolean;
  agent: Agent;
}

const CHECK_EVERY_MS = 200;
const CHECK_TIMEOUT_MS = 2_000;
/** The time that a request waits for a server to be ready. */
const WAIT_MS = 2_000;
/** The header with the name of the server that answered, for tests of what servers share. */
export const SERVER_HEADER = "x-server";
/** Headers that declare a repetition harmless, because the receiver recognizes the second request. */
const REPEATABLE_HEADERS = ["idempotency-key", "webhook-id"];

export async function startBalancer(port: number): Promise<Balancer> {
  const servers: Server[] = [];
  const passed: Passed[] = [];
  let turn = 0;
  const next = (tried: ReadonlySet<Server>) => {
    const ready = servers.filter((server) => server.isReady && !tried.has(server));
    return ready[turn++ % ready.length];
  };
  const checking = setInterval(() => {
    for (const server of servers) void check(server);
  }, CHECK_EVERY_MS);
  const balancer = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    void pass(incoming, outgoing, next).then((seen) => passed.push(seen));
  });
  balancer.listen(port, "127.0.0.1");
  await once(balancer, "listening");
  return {
    url: `http://127.0.0.1:${port}`,
    passed,
    add: (url) => {
      if (servers.some((server) => server.url === url)) return;
      servers.push({ url, isReady: false, agent: new Agent({ keepAlive: true }) });
    },
    ready: () => servers.filter((server) => server.isReady).map(({ url }) => url),
    close: async () => {
      clearInterval(checking);
      balancer.closeAllConnections();
      await new Promise((resolve) => balancer.close(resolve));
      for (const { agent } of servers) agent.destroy();
    },
  };
}

async function check(server: Server): Promise<void> {
  try {
    const answer = await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
    await answer.text();
    server.isReady = answer.ok;
  } catch {
    server.isReady = false;
  }
}

type NextServer = (tried: ReadonlySet<Server>) => Server | undefined;

async function pass(incoming: IncomingMessage, outgoing: ServerResponse, next: NextServer): Promise<Passed> {
  const startedMs = performance.now();
  const body = await readAll(incoming);
  const tried = new Set<Server>();
  let resent = 0;
  const seen = (status: number, server: Server | null): Passed => ({
    atMs: performance.now(),
    tookMs: performance.now() - startedMs,
    method: incoming.method ?? "",
    path: (incoming.url ?? "").replace(/\?.*/, ""),
    status,
    server: server?.url ?? null,
    resent,
  });
  for (;;) {
    const server = await untilServer(next, tried);
    if (server === undefined) {
      outgoing.writeHead(503, { "retry-after": "1" }).end();
      return seen(503, null);
    }
    const outcome = await sendTo(server, incoming, body, outgoing);
    if (typeof outcome === "number") return seen(outcome, server);
    if (outcome === "abandoned") return seen(ABANDONED, server);
    server.isReady = false;
    tried.add(server);
    // The balancer sends nothing twice after a server may have received it, unless the request declares a repetition
    // harmless.
    if (outcome === "unsent" || (outcome === "unanswered" && isRepeatable(incoming))) {
      resent += 1;
      continue;
    }
    // Closes the connection, so that the client learns of the failure and decides whether to send the request again.
    outgoing.destroy();
    return seen(CUT, server);
  }
}

function isRepeatable({ method, headers }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD" || REPEATABLE_HEADERS.some((name) => headers[name] !== undefined);
}

async function untilServer(next: NextServer, tried: Set<Server>): Promise<Server | undefined> {
  const endMs = performance.now() + WAIT_MS;
  for (;;) {
    const server = next(tried);
    if (server !== undefined) return server;
    if (performance.now() > endMs) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 20));
    // A server that failed may be available again.
    tried.clear();
  }
}

/**
 * Sends a request to a server and the server's answer to the client.
 * @returns the status, or the point of failure: no byte was sent, no byte was answered, the answer broke off, or the
 * client left
 */
function sendTo(
  server: Server,
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<number | "unsent" | "unanswered" | "broken" | "abandoned"> {
  const target = new URL(incoming.url ?? "/", server.url);
  const forwarded = [incoming.headers["x-forwarded-for"], incoming.socket.remoteAddress].filter(Boolean).join(", ");
  // A stopping server may close a kept-alive connection while a request is on its way. A request that must not be sent
  // twice gets a new connection.
  const agent = isRepeatable(incoming) ? server.agent : false;
  const { connection: _ours, ...headers } = incoming.headers;
  return new Promise((resolve) => {
    let isConnected = false;
    const sent = request(target, {
      agent,
      method: incoming.method,
      headers: { ...headers, "x-forwarded-for": forwarded },
    });
    sent.on("socket", (socket) => {
      isConnected = !socket.connecting;
      if (isConnected) return;
      socket.once("connect", () => {
        isConnected = true;
      });
    });
    sent.on("error", () => resolve(isConnected ? "unanswered" : "unsent"));
    sent.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, [SERVER_HEADER]: server.url });
      answer.pipe(outgoing);
      answer.on("end", () => resolve(answer.statusCode ?? 502));
      answer.on("close", () => resolve(answer.complete ? (answer.statusCode ?? 502) : "broken"));
    });
    outgoing.on("close", () => {
      if (!outgoing.writableFinished) resolve("abandoned");
      sent.destroy();
    });
    sent.end(body);
  });
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
  } catch {
    // The client is gone. Sending the rest does no harm, because no one reads the answer.
  }
  return Buffer.concat(chunks);
}
