import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A real worker process. */
export interface TestWorker {
  poolId: string;
  child: ChildProcess;
  /** Resolves with "code 0" or the signal's name. */
  exited: Promise<string>;
  /** The log so far. */
  output(): string;
}

/** For tests: starts worker/main.ts on the test's database, as the supervisor does. Resolves when it takes jobs. */
export async function startTestWorker(settings: Record<string, string> = {}): Promise<TestWorker> {
  const child = fork("worker/main.ts", [], {
    execArgv: [],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    env: { ...process.env, OUTBOUND_ALLOW: "127.0.0.1", WORKER_CONCURRENCY: "5", LOG_LEVEL: "info", ...settings },
  });
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk) => {
    output += chunk;
  });
  const exited = once(child, "exit").then(([code, signal]) => String(signal ?? `code ${code}`));
  const ready = await Promise.race([
    once(child, "message").then(([message]) => message as { poolId: string }),
    exited.then((end) => {
      throw new Error(`the worker ended before it was ready: ${end}`);
    }),
  ]);
  return { poolId: ready.poolId, child, exited, output: () => output };
}

/** For tests: waits for a condition; on a timeout the error says what it waited for. */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  deadlineMs = 120_000,
): Promise<T> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > end) throw new Error(`waited ${deadlineMs} ms without success for: ${what}`);
    await sleep(10);
  }
}

export interface Call {
  path: string;
  headers: IncomingHttpHeaders;
  key: string;
  body: string;
  /** Of this very key, 1 for the first. */
  count: number;
  /** True once the caller hung up before the answer. */
  isDropped: boolean;
}

/** The API of another service: it counts requests and gives the configured answers, at once or later. */
export interface CountingServer {
  url: string;
  calls: Call[];
  of(path: string): Call[];
  /** From now on calls of this path get no answer until `release`. */
  hold(path: string): void;
  release(path: string): void;
  answer(path: string, body: unknown, status?: number, headers?: Record<string, string>): void;
  close(): void;
}

export async function startCountingServer(): Promise<CountingServer> {
  const calls: Call[] = [];
  const answers = new Map<string, { status: number; body: unknown; headers?: Record<string, string> }>();
  const held = new Map<string, ServerResponse[]>();
  const reply = (response: ServerResponse, path: string) => {
    const { status, body, headers = {} } = answers.get(path) ?? { status: 200, body: { ok: true } };
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    const key = String(request.headers["idempotency-key"]);
    const call: Call = {
      path,
      headers: request.headers,
      key,
      body: "",
      count: calls.filter((other) => other.key === key).length + 1,
      isDropped: false,
    };
    calls.push(call);
    response.on("close", () => {
      call.isDropped = !response.writableFinished;
    });
    for await (const chunk of request) call.body += chunk;
    const waiting = held.get(path);
    if (waiting) waiting.push(response);
    else reply(response, path);
  });
  // Only the client ends idle connections. This process would end one with a request in it, after it had no turn for 5 s.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    of: (path) => calls.filter((call) => call.path === path),
    hold: (path) => held.set(path, []),
    release: (path) => {
      for (const response of held.get(path) ?? []) reply(response, path);
      held.delete(path);
    },
    answer: (path, body, status = 200, headers = {}) => answers.set(path, { status, body, headers }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
