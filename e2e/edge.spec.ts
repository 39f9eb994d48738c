import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, type Product, test } from "#e2e/fixtures";

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * Sends requests that browsers and fetch cannot send: any Host, any forwarding header, and a path exactly as written.
 */
async function send(url: string, path: string, headers: OutgoingHttpHeaders = {}, method = "GET"): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, path, method, headers: { connection: "close", ...headers } });
  sent.end();
  const [answer] = await once(sent, "response");
  let body = "";
  for await (const chunk of answer) body += chunk;
  return { status: answer.statusCode, headers: answer.headers, body };
}

/** Opens a POST that declares a body and never sends it, and returns what the server writes. */
async function announceBody(product: Product, path: string, headers: string[]): Promise<string> {
  const { hostname, port } = new URL(product.url);
  const socket = connect(Number(port), hostname);
  const lines = [`POST ${path} HTTP/1.1`, "host: localhost", ...headers, "", ""];
  socket.write(lines.join("\r\n"));
  const [chunk] = await once(socket, "data");
  socket.destroy();
  return String(chunk);
}

test("a client cannot pretend to have another address or to be this machine", async ({ product }) => {
  expect((await send(product.url, "/metrics")).status).toBe(200);
  for (const headers of [
    { "x-forwarded-for": "127.0.0.1" },
    { "x-forwarded-for": "203.0.113.9", "x-signalbox-local-client": "true" },
    { forwarded: "for=127.0.0.1" },
    { via: "1.1 proxy" },
  ]) {
    expect((await send(product.url, "/metrics", headers)).status).toBe(401);
  }
});

test("a request for a foreign host is refused on every path, and the refusal names the settings", async ({
  product,
}) => {
  for (const path of ["/", "/api/v1/runtime/actions", "/mcp", "/webhooks/x", "/api/web/session", "/healthz"]) {
    const answer = await send(product.url, path, { host: "evil.example" });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({
      code: "BAD_REQUEST",
      reason: "host_not_allowed",
      error: expect.stringContaining("PUBLIC_BASE_URL"),
    });
  }
  expect((await send(product.url, "/healthz", { host: "10.1.2.3:3000" })).status).toBe(200);
  expect((await send(product.url, "/healthz", { host: "[::1]" })).status).toBe(200);
});

test("a malformed escape is a 400, never a 500", async ({ product }) => {
  const paths = ["/%ff", "/runs?q=%ff", "/api/v1/runtime/runs/%ff", "/webhooks/%", "/docs/%c0%af", "/_next/static/%ff"];
  for (const path of paths) expect((await send(product.url, path)).status).toBe(400);
});

test("every response has the security headers, no matter which part of the server writes it", async ({
  product,
  request: client,
}) => {
  const page = await (await client.get("/sign-in")).text();
  const asset = /"(\/_next\/static\/[^"]+\.(?:js|css))"/.exec(page)?.[1] ?? "";
  const rows: [path: string, status: number, method?: string][] = [
    ["/", 307],
    ["/sign-in", 200],
    ["/nowhere", 404],
    [asset, 200],
    ["/_next/static/nothing.js", 404],
    ["/_next/nothing", 404],
    ["/icon.svg", 200],
    ["/healthz", 200],
    ["/api/v1/runtime/openapi.json", 200],
    ["/api/v1/runtime/actions", 401],
    ["/api/v1/runtime/actions", 405, "DELETE"],
    ["/api/v1/nothing", 404],
    ["/api/web/session", 405],
    ["/api/auth/session", 200],
    ["/mcp", 405],
    ["/webhooks/nothing", 405],
    ["/docs", 200],
    ["//nothing", 308],
    ["/%ff", 400],
  ];
  for (const [path, status, method] of rows) {
    const authorization = method === undefined ? {} : { authorization: `Bearer ${product.raw_key}` };
    const answer = await send(product.url, path, authorization, method);
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    });
    expect(answer.headers["x-powered-by"]).toBeUndefined();
    if (path.startsWith("/api/") && !path.endsWith("openapi.json")) {
      expect(answer.headers["cache-control"]).toContain("no-store");
    }
  }
});

test("a body that is too large is refused before the key is checked and before it arrives", async ({ product }) => {
  for (const path of [`/api/v1/runtime/actions/${product.slug}/run`, "/mcp"]) {
    expect(await announceBody(product, path, ["content-length: 2000000"])).toMatch(/^HTTP\/1.1 413 /);
  }
});

test("a request with an invalid key is answered before its body arrives", async ({ product }) => {
  const path = `/api/v1/runtime/actions/${product.slug}/run`;
  for (const key of [[], [`authorization: Bearer svc_${"x".repeat(32)}`]]) {
    for (const size of ["content-length: 1000000", "transfer-encoding: chunked"]) {
      expect(await announceBody(product, path, [...key, size])).toMatch(/^HTTP\/1.1 401 /);
    }
  }
  expect(await announceBody(product, "/mcp", ["content-length: 1000000"])).toMatch(/^HTTP\/1.1 401 /);
});

test("a body that turns out to be too large while it arrives gets 413", async ({ product }) => {
  const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(0x20)) });
  const { status } = await fetch(`${product.url}/api/v1/runtime/actions/${product.slug}/run`, {
    method: "POST",
    headers: { authorization: `Bearer ${product.raw_key}` },
    body,
    duplex: "half",
  } as RequestInit);
  expect(status).toBe(413);
});

test("100 connections that announce a body and never send it do not block others", async ({ product, api }) => {
  const { hostname, port } = new URL(product.url);
  const waiting = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, "connect");
      socket.write(`POST /webhooks/nothing HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000\r\n\r\n`);
      return socket;
    }),
  );
  const called = await api.post(`/api/v1/runtime/actions/${product.slug}/run`, { data: { input: product.input } });
  expect(called.status()).toBe(202);
  for (const socket of waiting) socket.destroy();
});

test("a flood of invalid keys gets 401 on every path, and valid keys keep working", async ({
  product,
  startEmptyProduct,
}) => {
  test.slow();
  // Uses the same database, so that the key is valid, and its own limits, so that other tests are not affected.
  const read = (file: string) => JSON.parse(readFileSync(join(product.data_dir, file), "utf8"));
  const { url } = await startEmptyProduct({
    DATABASE_URL: read("instance.json").databaseUrl,
    ENCRYPTION_KEYS: read("secrets.json").encryptionKeys,
  });
  const calls: [path: string, method: string][] = [
    ["/api/v1/runtime/actions", "GET"],
    ["/api/v1/runtime/runs", "GET"],
    ["/mcp", "POST"],
  ];
  const answered = new Set<string>();
  const sendWrongKey = async (path: string, method: string, n: number) => {
    const wrong = n % 2 === 0 ? "svc_wrong" : `svc_${String(n).padStart(32, "w")}`;
    const { status, headers } = await send(url, path, { authorization: `Bearer ${wrong}` }, method);
    answered.add(`${status} ${headers["retry-after"] ?? "without retry-after"}`);
  };
  // More than the limit of a source.
  for (let n = 0; n < 420; n += 30) {
    const round = Array.from({ length: 10 }, (_, index) => calls.map((call) => sendWrongKey(...call, n + index)));
    await Promise.all(round.flat());
  }
  expect([...answered]).toEqual(["401 without retry-after"]);
  expect((await send(url, "/api/v1/runtime/actions", { authorization: `Bearer ${product.raw_key}` })).status).toBe(200);
});
