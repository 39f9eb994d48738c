import { once } from "node:events";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type DirectAnswer, serveDirectly } from "#lib/api/edge/direct-routes";
import { getRequest, readAll, startEdge, type TestEdge } from "#lib/api/edge/edge-server.fixture";

/** What the route does, set by each test. */
let route: DirectAnswer;
serveDirectly(/^\/programs(?:\/|$)/, (request) => route(request));

const nextJs = async (_: unknown, outgoing: { end(text: string): void }) => outgoing.end("by Next.js");

let edge: TestEdge;
beforeEach(async () => {
  route = async ({ method, url, headers }) =>
    Response.json({ method, url, headers: Object.fromEntries(headers) }, { headers: { "x-route": "yes" } });
  edge = await startEdge({}, nextJs);
});
afterEach(() => edge.close());

const post = (body: string, headers: Record<string, string> = {}) =>
  getRequest("/programs", { "content-length": String(body.length), ...headers }).replace("GET", "POST") + body;
const bodyOf = (answer: string) => answer.slice(answer.indexOf("\r\n\r\n") + 4);

describe("a request of a program", () => {
  test("is answered without Next.js, with the headers of the route and of the server", async () => {
    const answer = await edge.send(
      getRequest("/programs/x?a=%C3%A9", { "x-own": "1", "x-signalbox-local-client": "no" }),
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    for (const header of ["x-route: yes", "x-content-type-options: nosniff", "content-security-policy: default-src"]) {
      expect(answer).toContain(`\r\n${header}`);
    }
    expect(JSON.parse(bodyOf(answer))).toMatchObject({
      method: "GET",
      url: expect.stringMatching(/\/programs\/x\?a=%C3%A9$/),
      headers: { "x-own": "1", "x-signalbox-local-client": "true", "x-signalbox-client-address": "127.0.0.1" },
    });
  });

  test.each([
    ["another path", getRequest("/programsx")],
    ["an empty segment", getRequest("/programs//x")],
    ["a slash at the end", getRequest("/programs/x/")],
    ["a dot segment", getRequest("/programs/x/../y")],
    ["an encoded dot segment", getRequest("/programs/x/%2e%2e/y")],
    ["a backslash", getRequest("/programs\\x")],
  ])("goes to Next.js if it has %s", async (_, request) => {
    expect(await edge.send(request)).toMatch(/by Next\.js$/);
  });

  test("goes to Next.js in development, which compiles the route", async () => {
    await edge.close();
    edge = await startEdge({}, nextJs, { isDevelopment: true });
    expect(await edge.send(getRequest("/programs"))).toMatch(/by Next\.js$/);
  });

  test("that the route fails to answer gets a 500 without details", async () => {
    route = () => Promise.reject(new Error("secret detail"));
    const answer = await edge.send(getRequest("/programs"));
    expect(answer).toMatch(/^HTTP\/1.1 500 /);
    expect(answer).not.toContain("secret");
  });
});

describe("the body of a request", () => {
  test("reaches the route", async () => {
    route = async (request) => new Response(`got ${await request.text()}`);
    expect(bodyOf(await edge.send(post("hello")))).toBe("got hello");
    const chunked = post("", { "transfer-encoding": "chunked" }).replace("content-length: 0\r\n", "");
    expect(bodyOf(await edge.send(`${chunked}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`))).toBe("got abcde");
  });

  test("is not read before the route asks for it, and no further than it asks", async () => {
    let flowing: boolean[] = [];
    edge.server.prependListener("request", (incoming) => {
      route = async (request) => {
        flowing = [incoming.readableFlowing === true];
        const reader = request.body?.getReader();
        await reader?.read();
        flowing.push(incoming.readableFlowing === true);
        await reader?.cancel();
        return new Response("enough");
      };
    });
    const socket = edge.open();
    socket.write(post("x".repeat(10_000_000)));
    const [chunk] = await once(socket, "data");
    socket.destroy();
    expect(String(chunk)).toContain("enough");
    expect(flowing).toEqual([false, false]);
  });

  test("fails for the route when the client goes away", async () => {
    const failed = Promise.withResolvers<unknown>();
    const reading = Promise.withResolvers<void>();
    route = async (request) => {
      reading.resolve();
      await request.text().catch(failed.resolve);
      return new Response();
    };
    const socket = edge.open();
    socket.write(post("{", { "content-length": "100" }));
    await reading.promise;
    socket.destroy();
    expect(await failed.promise).toBeInstanceOf(Error);
  });
});

test("the signal of a request ends with its client, and not with its answer", async () => {
  const signals: AbortSignal[] = [];
  const asked = Promise.withResolvers<void>();
  route = async ({ signal, url }) => {
    signals.push(signal);
    if (url.endsWith("/slow")) {
      asked.resolve();
      await once(signal, "abort");
    }
    return new Response("done");
  };
  expect(await edge.send(getRequest("/programs"))).toContain("done");
  const socket = edge.open();
  socket.write(getRequest("/programs/slow"));
  await asked.promise;
  socket.destroy();
  await once(signals[1] as AbortSignal, "abort");
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
});

describe("an answer", () => {
  test("to HEAD has the headers and no body", async () => {
    const answer = await edge.send(getRequest("/programs").replace("GET", "HEAD"));
    expect(answer).toContain("\r\nx-route: yes");
    expect(bodyOf(answer)).toBe("");
  });

  test.each([204, 304])("with status %i has no body and no length", async (status) => {
    route = async () => new Response(null, { status, headers: { etag: '"a"' } });
    const answer = await edge.send(getRequest("/programs"));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain('\r\netag: "a"');
    expect(answer.toLowerCase()).not.toMatch(/content-length|transfer-encoding/);
    expect(bodyOf(answer)).toBe("");
  });

  const long = "long ".repeat(1_000);
  test.each([
    ["gzip", long, true],
    ["br, gzip;q=0.5", long, true],
    ["*", long, true],
    ["gzip;q=0", long, false],
    ["br", long, false],
    ["", long, false],
    ["gzip", "short", false],
  ])("to Accept-Encoding %j: %#", async (accepted, body, isCompressed) => {
    route = async () => new Response(body, { headers: { vary: "authorization" } });
    const answer = await edge.send(getRequest("/programs", { "accept-encoding": accepted }));
    expect(answer.includes("\r\ncontent-encoding: gzip\r\n")).toBe(isCompressed);
    expect(answer).toMatch(/\r\nvary: authorization(?:, |\r\nvary: )accept-encoding/);
    const sent = Buffer.from(bodyOf(answer), "latin1");
    expect(String(isCompressed ? gunzipSync(sent) : sent)).toBe(body);
    expect(answer).toContain(`\r\nContent-Length: ${sent.length}\r\n`);
  });

  test("of events is sent as they come, and ends when the client goes away", async () => {
    const cancelled = Promise.withResolvers<void>();
    const events = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from("data: 1\n\n")),
      cancel: () => cancelled.resolve(),
    });
    route = async () => new Response(events, { headers: { "content-type": "text/event-stream" } });
    const socket = edge.open();
    socket.write(getRequest("/programs", { "accept-encoding": "gzip" }));
    let text = "";
    while (!text.includes("data: 1\n\n")) text += String((await once(socket, "data"))[0]);
    expect(text).not.toContain("content-encoding");
    socket.destroy();
    await cancelled.promise;
  });
});

test.each([
  ["was not read", async () => {}],
  [
    "was refused after its first part",
    async ({ body }: Request) => {
      const reader = body?.getReader();
      await reader?.read();
      await reader?.cancel();
    },
  ],
])("a request on a kept connection is answered after one whose body %s", async (_, read) => {
  route = async (request) => {
    await read(request);
    return new Response(`answer to ${request.method}`);
  };
  const socket = edge.open();
  const kept = { connection: "keep-alive" };
  socket.write(post("x".repeat(3_000_000), kept) + getRequest("/programs"));
  expect(await readAll(socket)).toMatch(/answer to POST.*answer to GET$/s);
});
