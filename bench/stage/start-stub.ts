import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts the other service in this process, so that it costs every product the same. */
export async function startStub(latencyMs = 0): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const answer = () => response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
    request.resume().on("end", () => (latencyMs > 0 ? setTimeout(answer, latencyMs) : answer()));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
