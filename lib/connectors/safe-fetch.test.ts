import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createOutgoingClient, type OutgoingClient } from "#lib/connectors/safe-fetch";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import { LIMITS } from "#lib/contract/limits";
import type { OutgoingRequest } from "#lib/core/engine/outgoing-request";
import { eventually } from "#lib/support/eventually.fixture";

interface Seen {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}

let handler: RequestListener = (_request, response) => response.end("ok");
const seen: Seen[] = [];
const servers: Server[] = [];
let origin = "";
let otherOrigin = "";

async function listen(): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      seen.push({ method: request.method, path: request.url, headers: request.headers, body });
      handler(request, response);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

origin = await listen();
otherOrigin = await listen();
const client = createOutgoingClient(parseOutboundAllow("127.0.0.1"));
afterAll(async () => {
  await client.close();
  for (const server of servers) server.close();
});
beforeEach(() => {
  seen.length = 0;
});

function get(url: string, more: Partial<Parameters<OutgoingClient["send"]>[0]> = {}) {
  return client.send({ method: "GET", url, headers: {}, signal: new AbortController().signal, ...more });
}

describe("the guard", () => {
  it("connects to nothing that is not listed, by address or by name", async () => {
    const guarded = createOutgoingClient(parseOutboundAllow("crm.internal"));
    const port = new URL(origin).port;
    for (const host of ["127.0.0.1", "localhost", "[::1]", "0x7f.1"]) {
      const sending = guarded.send({
        method: "GET",
        url: `http://${host}:${port}/`,
        headers: {},
        signal: new AbortController().signal,
      });
      await expect(sending).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
        message: expect.stringContaining("OUTBOUND_ALLOW"),
      });
    }
    await guarded.close();
    expect(seen).toEqual([]);
  });

  it("checks every redirect like the first address", async () => {
    const guarded = createOutgoingClient(parseOutboundAllow("127.0.0.1"));
    handler = (_request, response) => response.writeHead(302, { location: "http://169.254.169.254/latest" }).end();
    await expect(get(`${origin}/`)).rejects.toMatchObject({ message: expect.stringContaining("169.254.169.254") });
    handler = (_request, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end();
    await expect(get(`${origin}/`)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await guarded.close();
  });

  it("sends another origin only harmless headers", async () => {
    handler = (request, response) =>
      request.url === "/first"
        ? response.writeHead(307, { location: `${otherOrigin}/second` }).end()
        : response.end("there");
    const headers = { authorization: "Bearer x", cookie: "a=b", "x-any-key": "secret", accept: "application/json" };
    const response = await get(`${origin}/first`, { method: "POST", headers, body: "hello" });
    expect(response.body.toString()).toBe("there");
    expect(seen[0]?.headers).toMatchObject({ authorization: "Bearer x", "x-any-key": "secret" });
    expect(seen[1]).toMatchObject({ method: "POST", body: "hello" });
    expect(Object.keys(seen[1]?.headers ?? {}).sort()).toEqual(["accept", "connection", "content-length", "host"]);
  });

  it("keeps the headers on the same origin, and turns a POST into a GET if the redirect says so", async () => {
    handler = (request, response) =>
      request.url === "/first" ? response.writeHead(303, { location: "/second" }).end() : response.end();
    await get(`${origin}/first`, {
      method: "POST",
      headers: { authorization: "Bearer x", "content-type": "text/plain" },
      body: "hello",
    });
    expect(seen[1]).toMatchObject({ method: "GET", path: "/second", body: "", headers: { authorization: "Bearer x" } });
    expect(seen[1]?.headers["content-type"]).toBeUndefined();
  });

  it("follows five redirects, but not a sixth", async () => {
    handler = (request, response) =>
      response.writeHead(302, { location: `/${Number(request.url?.slice(1)) + 1}` }).end();
    await expect(get(`${origin}/0`)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    expect(seen.map((request) => request.path)).toEqual(["/0", "/1", "/2", "/3", "/4", "/5"]);
  });
});

describe("calls of other runs", () => {
  it("wait for no slow response of the same service", async () => {
    const open: (() => void)[] = [];
    handler = (request, response) => {
      if (request.url === "/slow") open.push(() => response.end());
      else response.end("at once");
    };
    const slow = Array.from({ length: 60 }, () => get(`${origin}/slow`));
    expect((await get(`${origin}/fast`)).body.toString()).toBe("at once");
    await eventually(() => expect(open).toHaveLength(60));
    for (const end of open) end();
    await Promise.all(slow);
  });
});

describe("name servers that never answer", () => {
  /** Sends five requests of one workspace and then one of another, and returns the names that were looked up. */
  async function lookUps(sendTo: (stage: OutgoingClient, name: string, workspaceId: string) => Promise<unknown>) {
    const asked: string[] = [];
    const stage = createOutgoingClient(parseOutboundAllow("127.0.0.1"), (hostname) => asked.push(hostname));
    const names = Array.from({ length: 5 }, (_, index) => `${index}.slow.example`);
    const sending = names.map((name) => sendTo(stage, name, "attacker").catch(() => undefined));
    await eventually(() => expect(asked).toHaveLength(4));
    sending.push(sendTo(stage, "api.example", "victim").catch(() => undefined));
    await eventually(() => expect(asked).toContain("api.example"));
    stop.abort();
    await Promise.all(sending);
    await stage.close();
    return asked;
  }
  let stop: AbortController;
  beforeEach(() => {
    stop = new AbortController();
  });

  it("delay only their workspace when a redirect of a POST leads to them", async () => {
    handler = (request, response) => response.writeHead(303, { location: `http:/${request.url}/` }).end();
    const asked = await lookUps((stage, name, workspaceId) =>
      stage.send({ method: "POST", url: `${origin}/${name}`, headers: {}, signal: stop.signal, workspaceId }),
    );
    expect(asked).toHaveLength(5);
  });

  it("delay only their workspace when a mail server has such a name", async () => {
    const asked = await lookUps((stage, name, workspaceId) => {
      const place = `imaps://${name}:993`;
      const credentials = { origins: [place], sign: (request: OutgoingRequest) => request };
      const request = { method: "POST", url: `${place}/search`, headers: {}, signal: stop.signal };
      return stage.send({ ...request, workspaceId, credentials });
    });
    expect(asked).toHaveLength(5);
  });
});

describe("answers", () => {
  it("stops reading at 10 MiB, compressed or not", async () => {
    const chunk = Buffer.alloc(1_048_576, "a");
    handler = (_request, response) => {
      for (let sent = 0; sent < 11; sent += 1) response.write(chunk);
      response.end();
    };
    await expect(get(`${origin}/`)).rejects.toMatchObject({ message: expect.stringContaining("10 MiB") });
    handler = (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(11 * 1_048_576)));
    await expect(get(`${origin}/`)).rejects.toMatchObject({ message: expect.stringContaining("10 MiB") });
  });

  it("reads a large response to its end only when there is room, and a small one at once", async () => {
    const room = Promise.withResolvers<void>();
    let asked = 0;
    const untilRoom = () => {
      asked += 1;
      return room.promise;
    };
    handler = (request, response) => {
      const small = request.url === "/small";
      const part = Buffer.alloc(small ? 1_000 : LIMITS.largeResponseBytes, "a");
      for (let sent = 0; sent < (small ? 1 : 36); sent += 1) response.write(part);
      response.end();
    };
    expect((await get(`${origin}/small`, { untilRoom })).body).toHaveLength(1_000);
    expect(asked).toBe(0);
    const large = get(`${origin}/large`, { untilRoom });
    await eventually(() => expect(asked).toBe(1));
    room.resolve();
    expect((await large).body).toHaveLength(36 * LIMITS.largeResponseBytes);
    expect(asked).toBe(1);
    const over = new AbortController();
    const waiting = get(`${origin}/large`, {
      signal: over.signal,
      untilRoom: () => {
        over.abort(new Error("over"));
        return Promise.reject(over.signal.reason);
      },
    });
    await expect(waiting).rejects.toThrow("over");
  });

  it.each([
    ["gzip", gzipSync("hello")],
    ["br", brotliCompressSync("hello")],
  ])("reads %s although it did not ask for compression", async (encoding, packed) => {
    handler = (_request, response) => response.writeHead(200, { "content-encoding": encoding }).end(packed);
    expect((await get(`${origin}/`)).body.toString()).toBe("hello");
  });

  it("reports a broken connection and an unknown name as UPSTREAM_ERROR", async () => {
    handler = (request) => request.socket.destroy();
    await expect(get(`${origin}/`)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    await expect(get("http://no-such-name.invalid/")).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });

  it("an abort reaches the socket and is reported with its reason", async () => {
    const abort = new AbortController();
    const closed = Promise.withResolvers<void>();
    handler = (request) => {
      request.socket.once("close", () => closed.resolve());
      abort.abort(new Error("enough"));
    };
    await expect(get(`${origin}/`, { signal: abort.signal })).rejects.toThrow("enough");
    await closed.promise;
  });
});
