import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createOutgoingClient, type OutgoingClient } from "#lib/connectors/safe-fetch";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import { isOriginAllowed, parseAllowedOrigin } from "#lib/support/urls/allowed-origins";

describe("allowed origins", () => {
  it.each([
    ["api.example.com", "https://api.example.com"],
    ["https://API.example.com/", "https://api.example.com"],
    ["api.example.com:8443", "https://api.example.com:8443"],
    ["http://crm.internal:8080", "http://crm.internal:8080"],
    ["*.example.com", "https://*.example.com"],
    ["http://*.example.com:81", "http://*.example.com:81"],
    ["[::1]:80", "https://[::1]:80"],
  ])("parses %s", (text, origin) => {
    expect(parseAllowedOrigin(text)).toBe(origin);
  });

  it.each([
    "",
    "*",
    "*.com",
    "https://*",
    "a.*.com",
    "ftp://example.com",
    "https://user@example.com",
    "example.com/path",
    "example.com?x=1",
    "exa mple.com",
  ])("rejects %j", (text) => {
    expect(parseAllowedOrigin(text)).toBeNull();
  });

  it("match the same scheme, host and port, and real subdomains only", () => {
    const allowed = (origin: string, url: string) => isOriginAllowed([origin], new URL(url));
    expect(allowed("https://api.example.com", "https://api.example.com/a?b")).toBe(true);
    expect(allowed("https://api.example.com", "http://api.example.com/")).toBe(false);
    expect(allowed("https://api.example.com", "https://api.example.com:444/")).toBe(false);
    expect(allowed("https://api.example.com", "https://api.example.com.evil.test/")).toBe(false);
    expect(allowed("https://*.example.com", "https://a.b.example.com/")).toBe(true);
    expect(allowed("https://*.example.com", "https://example.com/")).toBe(false);
    expect(allowed("https://*.example.com", "https://evilexample.com/")).toBe(false);
    expect(allowed("https://*.example.com", "http://a.example.com/")).toBe(false);
  });
});

describe("the client with credentials", () => {
  const seen: IncomingMessage[] = [];
  const servers: Server[] = [];
  let handler: RequestListener = (_request, response) => response.end("ok");
  let home = "";
  let elsewhere = "";
  let client: OutgoingClient;

  async function listen(): Promise<string> {
    const server = createServer((request, response) => {
      seen.push(request);
      handler(request, response);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  beforeAll(async () => {
    home = await listen();
    elsewhere = await listen();
    client = createOutgoingClient(parseOutboundAllow("127.0.0.1"));
  });
  beforeEach(() => {
    seen.length = 0;
  });
  afterAll(async () => {
    await client.close();
    for (const server of servers) server.close();
  });

  const send = (url: string, method = "GET") =>
    client.send({
      method,
      url,
      headers: { authorization: "from the workflow" },
      signal: new AbortController().signal,
      credentials: {
        origins: [home],
        sign: (request) => ({ ...request, headers: { ...request.headers, authorization: "secret" } }),
      },
    });
  const redirectTo = (target: string, status = 302) => {
    handler = (request, response) => {
      if (request.url === "/from") response.writeHead(status, { location: target }).end();
      else response.end("ok");
    };
  };

  it("attaches them to an allowed origin, over what the workflow sets", async () => {
    await send(`${home}/a`);
    expect(seen.map((request) => request.headers.authorization)).toEqual(["secret"]);
  });

  it("does not connect to another origin", async () => {
    await expect(send(`${elsewhere}/a`)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: `url: the connection's credentials go to ${home}, not to ${elsewhere}`,
    });
    expect(seen).toEqual([]);
  });

  it("follows a redirect to another origin without them", async () => {
    redirectTo(`${elsewhere}/to`);
    await send(`${home}/from`);
    expect(seen.map((request) => request.headers.authorization)).toEqual(["secret", undefined]);
  });

  it.each([302, 303, 307])("keeps them on a %i redirect to the same origin", async (status) => {
    redirectTo("/to", status);
    await send(`${home}/from`, "POST");
    expect(seen.map((request) => [request.url, request.headers.authorization])).toEqual([
      ["/from", "secret"],
      ["/to", "secret"],
    ]);
  });
});
