import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { type DnsRecord, startDnsServer } from "#lib/connectors/dns-server.fixture";
import { createOutgoingClient, type OutgoingClient } from "#lib/connectors/safe-fetch";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import { URL_ATTEMPTS } from "#lib/connectors/ssrf-attempts.fixture";
import { DNS_ATTEMPTS, REDIRECT_TARGETS } from "#lib/connectors/ssrf-names.fixture";
import { StepError } from "#lib/contract/run/step-error";

const STATUSES = [301, 302, 303, 307, 308];
const WILDCARD = /(\d+)[.-](\d+)[.-](\d+)[.-](\d+)\.wildcard\.example$/;
const OF_THIS_MACHINE = /(^|\.)localhost(\.|$)|^ip6-localhost$/;

let port = 0;
/** The addresses of this machine that received a connection. */
const reached: string[] = [];
/** How the server that may be called responds. */
let redirect = { status: 302, location: "" };
const REBOUND = "rebound.evil.example";

const sendBy = (client: OutgoingClient, url: string) =>
  client.send({ method: "GET", url, headers: {}, signal: AbortSignal.timeout(4_000) });

const server = createServer((request, response) => {
  if (request.url === "/ok") response.writeHead(200, { connection: "close" }).end("ok");
  else response.writeHead(redirect.status, { location: redirect.location.replace("PORT", String(port)) }).end();
});
// Lists every address of this machine, in both families if it has both.
await new Promise<void>((resolve) => server.listen(0, resolve));
port = (server.address() as AddressInfo).port;
server.on("connection", (socket) => reached.push((socket.localAddress ?? "").replace("::ffff:", "")));
const dns = await startDnsServer(zone);
afterAll(() => {
  dns.close();
  server.close();
});
beforeEach(() => {
  reached.length = 0;
});

function zone(name: string): readonly DnsRecord[] {
  const held = WILDCARD.exec(name);
  if (held) return [{ type: "A", value: held.slice(1).join(".") }];
  if (name === "7f000001.wildcard.example") return [{ type: "A", value: "127.0.0.1" }];
  if (OF_THIS_MACHINE.test(name))
    return [
      { type: "A", value: "127.0.0.1" },
      { type: "AAAA", value: "::1" },
    ];
  if (name === REBOUND) return [{ type: "A", value: rebindings() < 2 ? "127.0.0.1" : "127.0.0.2" }];
  // A URL that a trick turns into another name still leads only to this machine.
  return DNS_ATTEMPTS[name] ?? [{ type: "A", value: "127.0.0.1" }];
}

/** Counts the lookups, of which each is two queries, one per family. The current one counts. */
function rebindings(): number {
  return Math.ceil(dns.asked.filter((name) => name === REBOUND).length / 2);
}

async function refusalOf(client: OutgoingClient, url: string): Promise<StepError> {
  const error = await sendBy(client, url).then(
    (answer) => new Error(`${url} was answered ${answer.status}`),
    (thrown: unknown) => thrown,
  );
  if (error instanceof StepError) return error;
  throw error;
}

test("none of the published ways to write a forbidden address makes a connection", async () => {
  const client = createOutgoingClient(parseOutboundAllow(""), dns.lookup);
  const urls = Object.values(URL_ATTEMPTS).flatMap((attempts) =>
    attempts.map((url) => url.replace("PORT", String(port))),
  );
  const refusals = await Promise.all(urls.map((url) => refusalOf(client, url)));
  const other = urls.filter((_, index) => refusals[index]?.code !== "VALIDATION_ERROR");
  expect(other).toEqual([]);
  expect(urls.length).toBeGreaterThanOrEqual(200);
  expect(reached).toEqual([]);
  await client.close();
});

test("a name is refused if any of its addresses is forbidden, whatever comes before it", async () => {
  const client = createOutgoingClient(parseOutboundAllow(""), dns.lookup);
  const names = Object.keys(DNS_ATTEMPTS);
  const refusals = await Promise.all(names.map((name) => refusalOf(client, `http://${name}:${port}/`)));
  expect(names.filter((_, index) => refusals[index]?.code !== "VALIDATION_ERROR")).toEqual([]);
  expect(names.filter((name) => !dns.asked.includes(name))).toEqual([]);
  expect(reached).toEqual([]);
  await client.close();
});

test("a name that changes its address between two connections is judged by the address of each connection", async () => {
  const client = createOutgoingClient(parseOutboundAllow("127.0.0.1"), dns.lookup);
  const url = `http://${REBOUND}:${port}/ok`;
  expect((await sendBy(client, url)).body.toString()).toBe("ok");
  // The same lookup judges and connects: no query happens in between.
  expect(rebindings()).toBe(1);
  const laterMs = performance.now() + 60_000;
  const clock = vi.spyOn(performance, "now").mockReturnValue(laterMs);
  expect((await refusalOf(client, url)).message).toContain("127.0.0.2");
  expect(reached).toEqual(["127.0.0.1"]);
  clock.mockRestore();
  await client.close();
});

test("every hop of a redirect is judged like the first, whatever its status", async () => {
  // The first address of this machine may be called, the others may not.
  const client = createOutgoingClient(parseOutboundAllow("127.0.0.1"), dns.lookup);
  for (const status of STATUSES) {
    for (const location of REDIRECT_TARGETS) {
      redirect = { status, location };
      const { code, message } = await refusalOf(client, `http://127.0.0.1:${port}/`);
      expect([code, message], location).toEqual(["VALIDATION_ERROR", expect.any(String)]);
    }
  }
  redirect = { status: 302, location: `http://127.0.0.1:PORT/again` };
  expect((await refusalOf(client, `http://127.0.0.1:${port}/`)).code).toBe("UPSTREAM_ERROR");
  expect(new Set(reached)).toEqual(new Set(["127.0.0.1"]));
  await client.close();
});
