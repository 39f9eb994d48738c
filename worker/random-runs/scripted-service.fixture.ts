import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { scriptedAnswer } from "#worker/random-runs/predict-step.fixture";
import type { Json } from "#worker/random-runs/workflow-model.fixture";

export interface ScriptedService {
  url: string;
  /** The attempts of a run's calls, by the rest of their idempotency keys. */
  attemptsOf(runId: string): Map<string, number>;
  close(): void;
}

/** Starts the service of the calls: `/2/503` answers the first two attempts of a call with 503. */
export async function startScriptedService(): Promise<ScriptedService> {
  const attempts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    // A retry after an answer has a key of its own, because the service would repeat its answer to the first one.
    const key = String(request.headers["idempotency-key"]).replace(/:r\d+$/, "");
    const attempt = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, attempt);
    let body = "";
    for await (const chunk of request) body += chunk;
    const [fails = 0, status = 200] = (request.url ?? "").split("/").slice(1).map(Number);
    const { v } = JSON.parse(body) as { v: Json };
    response.writeHead(attempt <= fails ? status : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(attempt <= fails ? { message: "no" } : scriptedAnswer(v)));
  });
  // Only the client ends idle connections: a busy test would end one with a request in it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    attemptsOf: (runId) => {
      const own = [...attempts].filter(([key]) => key.startsWith(`${runId}:`));
      return new Map(own.map(([key, count]) => [key.slice(runId.length + 1), count]));
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
