import { EventEmitter, once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { limitConnections } from "#lib/api/edge/create-edge-server";
import { getRequest, readAll, startEdge, type TestEdge } from "#lib/api/edge/edge-server.fixture";
import { LIMITS } from "#lib/contract/limits";
import { parseNetworkList } from "#lib/platform/config/network-list";

let edge: TestEdge;
afterEach(() => edge.close());

const SECURITY_HEADERS = [
  "x-content-type-options: nosniff",
  "x-frame-options: DENY",
  "referrer-policy: same-origin",
  "cross-origin-opener-policy: same-origin",
  "permissions-policy: ",
];
function expectSecurityHeaders(answer: string): void {
  const lower = answer.toLowerCase();
  for (const header of SECURITY_HEADERS) expect(lower).toContain(`\r\n${header.toLowerCase()}`);
  expect(lower).toContain("\r\ncontent-security-policy: ");
  expect(lower).not.toContain("x-powered-by");
}

describe("every answer has the security headers", () => {
  test.each([
    ["a page", getRequest("/runs"), 200],
    ["an API path", getRequest("/api/v1/runtime/actions"), 200],
    ["another host", getRequest("/", { host: "evil.example" }), 400],
    ["an invalid escape", getRequest("/%ff"), 400],
    [
      "an upgrade",
      getRequest("/", { connection: "upgrade", upgrade: "websocket" }).replace("\r\n\r\n", "\r\n\r\nx"),
      200,
    ],
    ["no host", "GET / HTTP/1.1\r\nconnection: close\r\n\r\n", 400],
    ["no HTTP", "hello\r\n\r\n", 400],
    ["headers that are too large", getRequest("/", { "x-long": "x".repeat(20_000) }), 431],
    ["two lengths of a body", getRequest("/", { "content-length": "1\r\ncontent-length: 2" }), 400],
  ])("%s", async (_, request, status) => {
    edge = await startEdge();
    const answer = await edge.send(request);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expectSecurityHeaders(answer);
    expect(answer.toLowerCase()).not.toContain("strict-transport-security");
  });

  test.each([
    "TRACE / HTTP/1.1\r\nhost: localhost",
    "TRACK / HTTP/1.1\r\nhost: localhost",
    "PROPFIND /mcp HTTP/1.1\r\nhost: localhost",
    "CONNECT localhost:443 HTTP/1.1\r\nhost: localhost:443",
    "get / HTTP/1.1\r\nhost: localhost",
    "BREW /pot HTTP/1.1\r\nhost: localhost",
  ])("a method that no path supports: %j", async (start) => {
    edge = await startEdge();
    const answer = await edge.send(`${start}\r\nx-secret: abc\r\nconnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 405 Method Not Allowed\r\n/);
    expect(answer.toLowerCase()).toContain("\r\nallow: get, head, post, put, patch, delete, options\r\n");
    expect(answer).toContain('"code":"METHOD_NOT_ALLOWED"');
    expect(answer).not.toContain("abc");
    expectSecurityHeaders(answer);
  });

  test.each([
    ["two Host headers", getRequest("/", { host: "localhost\r\nhost: localhost" })],
    ["a Host header with a user", getRequest("/", { host: "a@localhost" })],
    ["no HTTP", "hello\r\n\r\n"],
    ["a length and chunks", getRequest("/", { "content-length": "3", "transfer-encoding": "chunked" })],
    ["a header name with a space", getRequest("/", { "x-a": "1" }).replace("x-a", "x a")],
    ["NUL in the path", getRequest("/a%00")],
  ])("a request that is refused has the contract's error as its body: %s", async (_, request) => {
    edge = await startEdge();
    const answer = await edge.send(request);
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    const body = answer.slice(answer.indexOf("\r\n\r\n") + 4);
    expect(JSON.parse(body)).toMatchObject({ error: expect.any(String), code: "BAD_REQUEST" });
    expectSecurityHeaders(answer);
  });

  test("a failure of the application", async () => {
    edge = await startEdge({}, () => Promise.reject(new Error("secret detail")));
    const answer = await edge.send(getRequest("/runs"));
    expect(answer).toMatch(/^HTTP\/1.1 500 /);
    expect(answer).toContain('"code":"INTERNAL_ERROR"');
    expect(answer).not.toContain("secret");
    expectSecurityHeaders(answer);
  });

  test("with https, also Strict-Transport-Security, refusals and malformed requests included", async () => {
    edge = await startEdge({ PUBLIC_BASE_URL: "https://signalbox.example.com" });
    for (const request of [getRequest("/runs"), getRequest("/%ff"), "hello\r\n\r\n"]) {
      expect(await edge.send(request)).toContain("\r\nstrict-transport-security: max-age=31536000");
    }
  });
});

test("the headers and the body of an answer are sent in one piece, as Next.js writes them", async () => {
  const writes: string[] = [];
  edge = await startEdge({}, async ({ socket }, outgoing) => {
    for (const name of ["_write", "_writev"] as const) {
      const write = socket[name]?.bind(socket) as (...args: unknown[]) => void;
      Object.assign(socket, { [name]: (...args: unknown[]) => writes.push(name) && write(...args) });
    }
    await Promise.resolve();
    outgoing.flushHeaders();
    outgoing.write("body");
    await Promise.resolve();
    outgoing.end();
  });
  expect(await edge.send(getRequest("/api/v1/runtime/actions"))).toContain("body");
  expect(writes).toEqual(["_writev"]);
});

describe("the content security policy", () => {
  const policyOf = (answer: string) => /\r\ncontent-security-policy: ([^\r]*)/.exec(answer)?.[1] ?? "";

  test("of a page has a new nonce each time, which the application sees and clients cannot choose", async () => {
    edge = await startEdge();
    const chosen = { "content-security-policy": "script-src 'nonce-mine'", "x-nonce": "mine" };
    const answers = [await edge.send(getRequest("/runs", chosen)), await edge.send(getRequest("/runs", chosen))];
    const nonces = answers.map((answer) => {
      const nonce = /'nonce-([^']+)'/.exec(policyOf(answer))?.[1] ?? "";
      expect(answer).toContain(`"x-nonce":"${nonce}"`);
      expect(answer).toContain(`"content-security-policy":"${policyOf(answer)}"`);
      return nonce;
    });
    expect(nonces[0]).toMatch(/^[A-Za-z0-9+/]{24}$/);
    expect(nonces[1]).not.toBe(nonces[0]);
  });

  test.each([
    "/api/v1/runtime/actions",
    "/mcp",
    "/mcp?actions=all",
    "/webhooks/x",
    "/_next/static/a.js",
    "/healthz",
    "/docs/signalbox.ts",
  ])("of %s allows nothing", async (path) => {
    edge = await startEdge();
    const answer = await edge.send(getRequest(path, { "x-nonce": "mine" }));
    expect(policyOf(answer)).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(answer).not.toContain("mine");
  });
});

describe("a request that does not arrive", () => {
  const start = "POST /mcp HTTP/1.1\r\nhost: localhost\r\n";

  test.each([
    ["headers", start, "headersTimeout"],
    ["a body that drips", `${start}content-length: 1000\r\n\r\n{`, "requestTimeout"],
    ["a chunked body without an end", `${start}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`, "requestTimeout"],
  ] as const)("%s: ends with 408", async (_, text, timeout) => {
    edge = await startEdge({}, async (incoming) => void incoming.resume());
    expect(edge.server.headersTimeout).toBe(LIMITS.requestHeadersMs);
    expect(edge.server.requestTimeout).toBe(LIMITS.requestArrivalMs);
    edge.server[timeout] = 1;
    const answer = await edge.send(text);
    expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    expectSecurityHeaders(answer);
  });

  test("on 100 connections does not block others", async () => {
    edge = await startEdge({}, readBody);
    const waiting = Array.from({ length: 100 }, () => edge.open());
    for (const socket of waiting) socket.write(`${start}content-length: 1000000\r\n\r\n`);
    await Promise.all(waiting.map((socket) => once(socket, "ready").catch(() => undefined)));
    expect(await edge.send(getRequest("/healthz"))).toMatch(/^HTTP\/1.1 200 /);
    for (const socket of waiting) socket.destroy();
  });
});

test("a refused body is read no further than its time, and the answer arrives first", async () => {
  edge = await startEdge({}, async (_, outgoing) => {
    outgoing.statusCode = 401;
    outgoing.end("no");
  });
  const socket = edge.open();
  socket.write("POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000000\r\n\r\n{");
  const answer = await readAll(socket);
  expect(answer).toMatch(/^HTTP\/1.1 401 /);
  expect(answer).toMatch(/no$/);
});

async function readBody(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  let bytes = 0;
  for await (const chunk of incoming) bytes += (chunk as Buffer).length;
  outgoing.end(String(bytes));
}

class TestSocket extends EventEmitter {
  isDestroyed = false;
  readonly remoteAddress: string;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy(): void {
    this.isDestroyed = true;
    this.emit("close");
  }
}

function server(trusted = "") {
  const events = new EventEmitter();
  limitConnections(events as unknown as Server, parseNetworkList(trusted));
  return (address: string, count = 1) =>
    Array.from({ length: count }, () => {
      const socket = new TestSocket(address);
      events.emit("connection", socket);
      return socket;
    });
}
const closed = (sockets: TestSocket[]) => sockets.filter(({ isDestroyed }) => isDestroyed).length;

test("one source cannot hold all connections; others still get theirs", () => {
  const connect = server();
  const flood = connect("203.0.113.1", LIMITS.connectionsPerSource + 10);
  expect(closed(flood)).toBe(10);
  expect(closed(connect("203.0.113.2"))).toBe(0);
  flood[0]?.destroy();
  expect(closed(connect("203.0.113.1", 2))).toBe(1);
});

test("a /64 network is one source", () => {
  const connect = server();
  connect("2001:db8:0:1::1", LIMITS.connectionsPerSource);
  expect(closed(connect("2001:db8:0:1:ffff::1"))).toBe(1);
  expect(closed(connect("2001:db8:0:2::1"))).toBe(0);
});

test.each(["10.0.0.1", "::ffff:10.0.0.1", "127.0.0.1", "::1"])(
  "%s, a trusted proxy or this machine, has no limit",
  (address) => {
    expect(closed(server("10.0.0.0/24")(address, LIMITS.connectionsPerSource + 10))).toBe(0);
  },
);
