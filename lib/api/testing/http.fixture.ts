import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";

export interface HttpTestServer {
  /** Without a trailing slash. */
  url: string;
  close(): Promise<void>;
}

/** For tests: route handlers on real HTTP, with the Request and Response objects that Next uses. */
export async function startHttp(route: (request: Request) => Promise<Response>): Promise<HttpTestServer> {
  const server = createServer((incoming, outgoing) => {
    void route(toRequest(incoming)).then((response) => {
      // A body that was refused unread would block the next request of the connection.
      if (!incoming.complete) outgoing.setHeader("connection", "close");
      send(response, outgoing);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function toRequest(incoming: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
  return new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method ?? "GET",
    headers,
    ...(hasBody ? { body: Readable.toWeb(incoming) as BodyInit, duplex: "half" } : {}),
  });
}

function send(response: Response, outgoing: ServerResponse): void {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) return void outgoing.end();
  Readable.fromWeb(response.body as ReadableStream).pipe(outgoing);
}
