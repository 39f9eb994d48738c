import { createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { NameLookup } from "#lib/connectors/look-up-in-turn";
import { endpointOf } from "#lib/connectors/own-endpoints";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import { StepError } from "#lib/contract/run/step-error";

const ALL = "0.0.0.0/0,::/0";
const NAMES: Record<string, string> = { "web.example": "127.0.0.1", "six.example": "::1", "db.example": "127.0.0.9" };

/** Answers every connection with a redirect to `location`, or with "ok". */
async function listen(host: string): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    connections += 1;
    socket.on("error", () => {});
    const head = location === "" ? "200 OK" : `302 Found\r\nlocation: ${location}`;
    socket.end(`HTTP/1.1 ${head}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return { server, port: (server.address() as { port: number }).port };
}

let connections = 0;
let location = "";

const resolve: NameLookup = (hostname, _options, callback) => {
  const address = NAMES[hostname];
  if (address === undefined) return callback(Object.assign(new Error("unknown"), { code: "ENOTFOUND" }), []);
  callback(null, [{ address, family: address.includes(":") ? 6 : 4 }]);
};

const own = await listen("::");
const other = await listen("127.0.0.1");
const endpoints = [
  { host: "127.0.0.1", port: own.port },
  { host: "db.example", port: 5432 },
  { host: "198.51.100.7", port: 5432 },
];
const client = createOutgoingClient(parseOutboundAllow(ALL, "*", endpoints), resolve);
afterAll(async () => {
  await client.close();
  for (const { server } of [own, other]) server.close();
});
beforeEach(() => {
  connections = 0;
  location = "";
});

/** A request to a mail server needs a connection that names it. */
const get = (url: string) =>
  client.send({
    method: "GET",
    url,
    headers: {},
    signal: AbortSignal.timeout(5_000),
    ...(url.startsWith("http")
      ? {}
      : { credentials: { origins: [url.replace(/\/\w+$/, "")], sign: (request) => request } }),
  });

async function expectRefused(url: string): Promise<void> {
  const error = await get(url).catch((thrown: unknown) => thrown);
  expect(error, url).toBeInstanceOf(StepError);
  expect(error, url).toMatchObject({ reason: "address_not_allowed" });
  expect((error as StepError).message, url).toContain("belongs to this instance");
}

describe("a port of the instance", () => {
  const loopback = ["127.0.0.1", "127.1", "127.0.0.2", "2130706433", "0x7f.1", "0.0.0.0", "[::1]", "[::]"];
  const mapped = ["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:7f00:2]"];
  it.each([...loopback, ...mapped, "web.example", "six.example", "WEB.example"])(
    "is not reached as %s",
    async (host) => {
      await expectRefused(`http://${host}:${own.port}/metrics`);
      await expectRefused(`https://${host}:${own.port}/`);
      expect(connections).toBe(0);
    },
  );

  it("is not reached by an address of a network card", async () => {
    const cards = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address, family, scopeid } of cards) {
      if (scopeid) continue;
      await expectRefused(`http://${family === "IPv6" ? `[${address}]` : address}:${own.port}/`);
    }
    expect(connections).toBe(0);
  });

  it("is not reached by a redirect", async () => {
    for (const host of ["127.0.0.1", "web.example", "[::1]"]) {
      location = `http://${host}:${own.port}/metrics`;
      await expectRefused(`http://127.0.0.1:${other.port}/`);
    }
    expect(connections).toBe(3);
  });

  it("is not reached as a mail server", async () => {
    for (const host of ["127.0.0.1", "web.example", "[::1]"]) {
      for (const way of ["smtp verify", "imaps new", "imap-plain new"]) {
        const [scheme, command] = way.split(" ");
        await expectRefused(`${scheme}://${host}:${own.port}/${command}`);
      }
    }
    expect(connections).toBe(0);
  });

  it("of a database on another machine is not reached by its name or its address", async () => {
    for (const host of ["db.example", "127.0.0.9", "198.51.100.7"]) await expectRefused(`http://${host}:5432/`);
  });
});

it("a service on another port of this machine is still reached", async () => {
  expect((await get(`http://127.0.0.1:${other.port}/`)).status).toBe(200);
  expect((await get(`http://web.example:${other.port}/`)).status).toBe(200);
  expect(connections).toBe(2);
});

it.each([
  ["postgres://user:secret@db.internal:6432/app", { host: "db.internal", port: 6432 }],
  ["postgresql://db.internal/app", { host: "db.internal", port: 5432 }],
  ["postgres://u:p@[::1]:5433/app", { host: "::1", port: 5433 }],
  ["postgres:///app?host=/var/run/postgresql", null],
  [undefined, null],
])("the endpoint of the database URL %s is %j", (url, expected) => {
  expect(endpointOf(url, 5_432)).toEqual(expected);
});
