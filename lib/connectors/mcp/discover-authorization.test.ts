import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { discoverAuthorization } from "#lib/connectors/mcp/discover-authorization";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import type { JsonObject } from "#lib/contract/wire/json-schema";

const client = createOutgoingClient(parseOutboundAllow("127.0.0.1"));
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
afterAll(() => client.close());

const PAGE = "<!doctype html><title>App</title>";
/** What is answered at each path; `$` is the origin. A path that is not there is answered with the fallback. */
type Site = Record<string, { status?: number; header?: string; body?: JsonObject | string }>;

async function discover(site: Site, fallback: Site[string] = { status: 404 }) {
  const server = createServer((request, response) => {
    const { origin } = new URL(url);
    const { status = 200, header, body = "" } = site[request.url ?? ""] ?? fallback;
    const filled = (text: string) => text.replaceAll("$", origin);
    response.writeHead(status, header === undefined ? {} : { "www-authenticate": filled(header) });
    response.end(filled(typeof body === "string" ? body : JSON.stringify(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const service = { send: client.send, signal: AbortSignal.timeout(20_000), redirectUri: "http://localhost/back" };
  const found = await discoverAuthorization({ server_url: url, client_id: "c" }, service);
  return Object.fromEntries(
    Object.entries(found).map(([name, text]) => [name, text.replace(new URL(url).origin, "$")]),
  );
}

const OWN = "/.well-known/oauth-authorization-server";
const RESOURCE = "/.well-known/oauth-protected-resource";
const metadata = (issuer = "$") => ({
  body: {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    code_challenge_methods_supported: ["S256"],
  },
});
const resource = (text = "$/mcp") => ({ body: { resource: text, authorization_servers: ["$/auth"] } });
const AUTH = { [`${OWN}/auth`]: metadata("$/auth") };

describe("a sign-in is found", () => {
  test.each<[string, Site, Site[string]?]>([
    ["in the usual place", { [`${RESOURCE}/mcp`]: resource(), ...AUTH }],
    ["at the root", { [RESOURCE]: resource("$"), ...AUTH }],
    [
      "where the challenge says",
      { "/mcp": { status: 401, header: 'Bearer realm="x", resource_metadata="$/meta"' }, "/meta": resource(), ...AUTH },
    ],
    [
      "where a challenge without quotes says",
      { "/mcp": { status: 401, header: "Bearer error=x, resource_metadata=$/meta" }, "/meta": resource(), ...AUTH },
    ],
    ["for an address that ends with a slash", { [`${RESOURCE}/mcp`]: resource("$/mcp/"), ...AUTH }],
    ["on a site that answers every other path with a page", { [RESOURCE]: resource("$/"), ...AUTH }, { body: PAGE }],
    [
      "by OpenID Connect",
      { [`${RESOURCE}/mcp`]: resource(), "/auth/.well-known/openid-configuration": metadata("$/auth") },
      { body: PAGE },
    ],
  ])("%s", async (_name, site, fallback) => {
    expect(await discover(site, fallback)).toMatchObject({
      token_url: "$/auth/token",
      authorize_url: "$/auth/authorize",
    });
  });

  test("on the server itself if it is older than the metadata of resources, also with a page for every path", async () => {
    expect(await discover({ [OWN]: metadata() })).toMatchObject({ token_url: "$/token" });
    expect(await discover({ [OWN]: metadata() }, { body: PAGE })).toMatchObject({ token_url: "$/token" });
  });

  test.each<[string, Site, RegExp]>([
    ["the metadata of another path", { [`${RESOURCE}/mcp`]: resource("$/mc"), ...AUTH }, /describes another server/],
    [
      "the metadata of another host",
      { [`${RESOURCE}/mcp`]: resource("https://a.example/mcp"), ...AUTH },
      /describes another server/,
    ],
    ["metadata that are none", { [`${RESOURCE}/mcp`]: { body: { resource: 7 } }, ...AUTH }, /resource/],
    ["only pages", {}, /does not say how to sign in/],
    ["a server that fails", { [`${RESOURCE}/mcp`]: { status: 503 } }, /answered 503/],
  ])("but not by %s", async (_name, site, message) => {
    await expect(discover(site, { body: PAGE })).rejects.toThrow(message);
  });
});
