import { once } from "node:events";
import { afterAll, describe, expect, test } from "vitest";
import { serveDirectly } from "#lib/api/edge/direct-routes";
import { getRequest, startEdge } from "#lib/api/edge/edge-server.fixture";

// What a route of a program does: it reads the body and answers what arrived.
serveDirectly(/^\/programs$/, async (request) => {
  const body = await request.text();
  return Response.json({ method: request.method, headers: Object.fromEntries(request.headers), body });
});

const edge = await startEdge();
afterAll(() => edge.close());

interface Answer {
  status: number;
  head: string;
  body: string;
}

/** Sends text on a new connection, and returns its last answer, after any 100 Continue. */
async function send(text: string): Promise<Answer> {
  const received = await edge.send(text);
  const [head = "", body = ""] = received.replace("HTTP/1.1 100 Continue\r\n\r\n", "").split("\r\n\r\n", 2);
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]), head: head.toLowerCase(), body };
}

const postRequest = (headers: string, body: string) =>
  `POST /programs HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${headers}\r\n\r\n${body}`;

/** Every refusal is an error of the contract, and closes the connection, because the rest of it cannot be understood. */
async function expectRefusal(text: string, status: number): Promise<void> {
  const answer = await send(text);
  expect([answer.status, answer.body === "" ? "empty" : JSON.parse(answer.body)]).toEqual([
    status,
    { error: expect.any(String), code: expect.any(String), reason: expect.any(String) },
  ]);
  expect(answer.head).toContain("\r\ncontent-type: application/json");
  expect(answer.head).toContain("\r\ncache-control: no-store");
  expect(answer.head).toMatch(/\r\nx-request-id: [0-9a-f-]{36}/);
  expect(answer.head).toContain("\r\nx-content-type-options: nosniff");
}

describe("a request whose length is not certain is refused, so that no one else's request is read as its body", () => {
  test.each([
    ["two different lengths", "content-length: 1\r\ncontent-length: 2"],
    ["the same length twice", "content-length: 1\r\ncontent-length: 1"],
    ["a list of lengths", "content-length: 1, 1"],
    ["a length and chunks", "content-length: 1\r\ntransfer-encoding: chunked"],
    ["chunks and a length", "transfer-encoding: chunked\r\ncontent-length: 1"],
    ["a length with a sign", "content-length: +1"],
    ["a negative length", "content-length: -1"],
    ["a hexadecimal length", "content-length: 0x1"],
    ["a length with a fraction", "content-length: 1.0"],
    ["an empty length", "content-length: "],
    ["a length in words", "content-length: one"],
    ["a length beyond 2^64", "content-length: 18446744073709551617"],
    ["a coding after chunked", "transfer-encoding: chunked, gzip"],
    ["a misspelled coding", "transfer-encoding: xchunked"],
    ["chunked in quotes", 'transfer-encoding: "chunked"'],
    ["a space before the colon", "content-length : 1"],
    ["a vertical tab after the name", "transfer-encoding\v: chunked"],
  ])("%s", async (_, headers) => {
    await expectRefusal(postRequest(headers, "x"), 400);
  });

  test.each([
    ["a size in words", "x\r\na\r\n0\r\n\r\n"],
    ["a negative size", "-1\r\na\r\n0\r\n\r\n"],
    ["a size beyond 2^64", "10000000000000001\r\na\r\n0\r\n\r\n"],
    ["no end of line after the data", "1\r\naa0\r\n\r\n"],
    ["an end of line of one character", "1\na\n0\n\n"],
  ])("chunks with %s", async (_, body) => {
    const { status } = await send(postRequest("transfer-encoding: chunked", body));
    expect(status).toBe(400);
  });
});

describe("a request that is not valid HTTP is refused with an error in JSON", () => {
  test.each([
    ["no version", "GET /programs\r\nhost: localhost\r\n\r\n"],
    ["a version that does not exist", "GET /programs HTTP/1.2\r\nhost: localhost\r\n\r\n"],
    ["another protocol", "GET /programs ICE/1.0\r\nhost: localhost\r\n\r\n"],
    ["a space in the target", "GET /a b HTTP/1.1\r\nhost: localhost\r\n\r\n"],
    ["NUL in the target", "GET /a\0b HTTP/1.1\r\nhost: localhost\r\n\r\n"],
    ["an encoded NUL in the path", getRequest("/a%00b")],
    ["an invalid escape in the query", getRequest("/programs?a=%zz")],
    ["a fragment in the target", getRequest("/programs#part")],
    ["a fragment in an absolute target", getRequest("http://localhost/programs#part")],
    ["an empty target", "GET  HTTP/1.1\r\nhost: localhost\r\n\r\n"],
    ["a relative target", getRequest("programs")],
    ["the target of CONNECT", getRequest("localhost:80")],
    ["the target of the whole server", getRequest("*").replace("GET", "OPTIONS")],
    ["another scheme", getRequest("ftp://localhost/programs")],
    ["a user in an absolute target", getRequest("http://me@localhost/programs")],
    ["NUL in a header", getRequest("/programs", { "x-a": "a\0b" })],
    ["a control character in a header", getRequest("/programs", { "x-a": "a\x01b" })],
    ["a lone carriage return in a header", getRequest("/programs", { "x-a": "a\rx-b: c" })],
    ["a header without a colon", getRequest("/programs").replace("\r\n\r\n", "\r\nx-a\r\n\r\n")],
    ["a header without a name", getRequest("/programs").replace("\r\n\r\n", "\r\n: a\r\n\r\n")],
    ["a first header that is folded", "GET /programs HTTP/1.1\r\n host: localhost\r\n\r\n"],
    ["a header that is folded (RFC 9112, 5.2)", getRequest("/programs", { "x-a": "1\r\n 2" })],
    ["a Host header that is folded", getRequest("/programs", { host: "local\r\n host" })],
    ["501 headers", manyHeaders(498)],
    ["10,000 headers", manyHeaders(10_000)],
    ["several Host headers, the second after 400 others", manyHeaders(400, "host: localhost")],
  ])("%s", async (_, text) => {
    await expectRefusal(text, 400);
  });

  test.each([
    ["an address of 17 KiB", getRequest(`/programs?q=${"a".repeat(17_408)}`)],
    ["an address of 1 MiB", getRequest(`/${"a".repeat(1_048_576)}`)],
    ["a header of 17 KiB", getRequest("/programs", { "x-long": "a".repeat(17_408) })],
    ["20,000 headers", manyHeaders(20_000)],
  ])("%s is too large", async (_, text) => {
    await expectRefusal(text, 431);
  });
});

describe("an unusual request that is valid HTTP is answered as what it means", () => {
  const read = async (text: string) => {
    const answer = await send(text);
    expect(answer.status).toBe(200);
    return JSON.parse(answer.body) as { method: string; headers: Record<string, string>; body: string };
  };

  test("an address of 15 KiB", async () => {
    await read(getRequest(`/programs?q=${"a".repeat(15_360)}`));
  });

  test("500 headers, none of which is left out", async () => {
    const { headers } = await read(manyHeaders(497, "x-last: yes"));
    expect(headers["x-last"]).toBe("yes");
  });

  test.each(["http://localhost/programs?a=1", "HTTP://LOCALHOST/programs?a=1", "https://localhost:443/programs"])(
    "an absolute target: %s",
    async (target) => {
      await read(getRequest(target, { host: "localhost" }));
    },
  );

  test("an absolute target that has a query and no path", async () => {
    const { status, body } = await send(getRequest("http://localhost?a=1"));
    expect([status, JSON.parse(body).url]).toEqual([200, "/?a=1"]);
  });

  test("a request that waits for 100 Continue gets it, and its body is read", async () => {
    const socket = edge.open();
    socket.write(postRequest("expect: 100-continue\r\ncontent-length: 2", ""));
    const [first] = await once(socket, "data");
    expect(String(first)).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write("{}");
    const [second] = await once(socket, "data");
    expect(String(second)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(String(second)).toContain('"body":"{}"');
    socket.destroy();
  });

  test.each(["200-maybe", "x=y", ""])("an expectation that no one knows is ignored: %j", async (expectation) => {
    const { body } = await read(postRequest(`expect: ${expectation}\r\ncontent-length: 2`, "{}"));
    expect(body).toBe("{}");
  });

  test.each([
    "connection: upgrade, close\r\nupgrade: websocket\r\nsec-websocket-key: dGhlIHNhbXBsZQ==\r\nsec-websocket-version: 13",
    "connection: upgrade, http2-settings, close\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk",
    "connection: close\r\nupgrade: tls/1.2",
  ])("an upgrade is not taken, and the request is answered: %s", async (headers) => {
    const answer = await send(`GET /programs HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n\r\n`);
    expect(answer.status).toBe(200);
    expect(answer.head).not.toContain("\r\nupgrade:");
  });

  test("HEAD gets the headers of GET, without a body, also if it is refused", async () => {
    const get = await send(getRequest("/programs"));
    const head = await send(getRequest("/programs").replace("GET", "HEAD"));
    expect([head.status, head.body]).toEqual([200, ""]);
    for (const name of ["content-type", "vary", "x-content-type-options"]) {
      const line = new RegExp(`\r\n${name}: [^\r]*`);
      expect(line.exec(head.head)?.[0]).toBe(line.exec(get.head)?.[0]);
    }
    const refused = await send(getRequest("/programs", { host: "evil.example" }).replace("GET", "HEAD"));
    expect([refused.status, refused.body]).toEqual([400, ""]);
    expect(refused.head).toContain("\r\ncontent-type: application/json");
  });

  test("an answer that may be compressed varies by what the client accepts", async () => {
    for (const accept of ["gzip", "identity"]) {
      const { head } = await send(getRequest("/programs", { "accept-encoding": accept, "x-long": "a".repeat(2_000) }));
      expect(head).toContain("\r\nvary: accept-encoding");
      expect(head.includes("\r\ncontent-encoding: gzip")).toBe(accept === "gzip");
    }
  });

  test("two requests on one connection get two answers, in their order", async () => {
    const keep = getRequest("/programs", { connection: "keep-alive", "x-n": "1" });
    const answers = (await edge.send(keep + getRequest("/programs", { "x-n": "2" }))).match(/"x-n":"\d"/g);
    expect(answers).toEqual(['"x-n":"1"', '"x-n":"2"']);
  });

  test("HTTP/1.0 without a Host header is refused, and with one it is answered", async () => {
    await expectRefusal("GET /programs HTTP/1.0\r\n\r\n", 400);
    await read("GET /programs HTTP/1.0\r\nhost: localhost\r\n\r\n");
  });
});

/** A request with many small headers and three more. The limit of 16 KiB counts the characters of names and values. */
function manyHeaders(count: number, last = "x-last: no"): string {
  return getRequest("/programs").replace("\r\n\r\n", `\r\n${"a:\r\n".repeat(count)}${last}\r\n\r\n`);
}
