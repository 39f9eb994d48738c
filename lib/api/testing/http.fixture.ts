import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerDirectly } from "#lib/api/edge/answer-directly";

export interface HttpTestServer {
  /** The server's URL without a trailing slash. */
  url: string;
  close(): Promise<void>;
}

/** For tests: serves a route on real HTTP, with the edge server's Request and Response objects. */
export async function startHttp(answer: (request: Request) => Promise<Response>): Promise<HttpTestServer> {
  const server = createServer((incoming, outgoing) => {
    const url = new URL(`http://${incoming.headers.host}${incoming.url}`);
    void answerDirectly({ answer, url }, incoming, outgoing);
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
