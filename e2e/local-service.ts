import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface ServiceAnswer {
  status?: number;
  json: unknown;
}

/** A service that workflows can call, for one test. It records the requests. */
export interface LocalService {
  url: string;
  /** The received requests, in the order they arrived. */
  requests: readonly ReceivedRequest[];
  /** Sets the answer for all further requests. A promise delays the answer. */
  answerWith: (answer: (request: ReceivedRequest) => ServiceAnswer | Promise<ServiceAnswer>) => void;
}

/** @returns the service, and a function that stops it and closes all open requests */
export async function startLocalService(): Promise<{ service: LocalService; stop: () => void }> {
  const requests: ReceivedRequest[] = [];
  let answer: Parameters<LocalService["answerWith"]>[0] = () => ({ json: {} });
  const respond = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = "", url: path = "", headers } = incoming;
    const request = { method, path, headers, body: await text(incoming) };
    requests.push(request);
    const { status = 200, json } = await answer(request);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
  };
  const server = createServer((incoming, response) => {
    respond(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    service: {
      url: `http://127.0.0.1:${port}`,
      requests,
      answerWith: (next) => {
        answer = next;
      },
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
