import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createEdgeServer } from "#lib/api/edge/create-edge-server";
import { type Env, env } from "#lib/platform/config/env";

export interface TestEdge {
  server: Server;
  port: number;
  /** Sends text on a new connection, and returns everything that arrives until the server closes it. */
  send(text: string): Promise<string>;
  open(): Socket;
  close(): Promise<void>;
}

/**
 * For tests: the product's HTTP server with a handler that answers with the headers that the application would get.
 * @param settings replace those of the environment while the server is created
 */
export async function startEdge(
  settings: Partial<Env> = {},
  handle: Parameters<typeof createEdgeServer>[0] = answerHeaders,
  options: Parameters<typeof createEdgeServer>[1] = {},
): Promise<TestEdge> {
  const before = { ...env() };
  Object.assign(env(), settings);
  const server = createEdgeServer(handle, options);
  Object.assign(env(), before);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const open = () => connect(port, "127.0.0.1").on("error", () => undefined);
  return {
    server,
    port,
    open,
    send: async (text) => {
      const socket = open();
      socket.write(text);
      return readAll(socket);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "close");
  return Buffer.concat(chunks).toString("latin1");
}

async function answerHeaders(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  outgoing.end(JSON.stringify({ url: incoming.url, headers: incoming.headers }));
}

/** Returns the text of a GET request that ends its connection. */
export function getRequest(path: string, headers: Record<string, string> = {}): string {
  const all = { host: "localhost", connection: "close", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}
