import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** Another service. Its address ends with a slash. */
interface Service {
  url: string;
  stop(): Promise<void>;
}

/** Starts another service in this process, so that it costs every product the same. */
export async function serve(answer: RequestListener): Promise<Service> {
  const server = createServer({ keepAliveTimeout: 60_000 }, answer).listen(0, "127.0.0.1");
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

/** Starts a service that answers every request in the same way. */
export function startStub(latencyMs = 0): Promise<Service> {
  return serve((request, response) => {
    const answer = () => response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
    request.resume().on("end", () => (latencyMs > 0 ? setTimeout(answer, latencyMs) : answer()));
  });
}
