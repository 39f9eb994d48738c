import { createHash } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { HTTP_AUTHS } from "#lib/connectors/http/auths";
import { OAUTH_PRESETS } from "#lib/connectors/http/presets/oauth-presets";
import { startVendor, type VendorAnswer, type VendorRequest } from "#lib/connectors/sdk/vendor.fixture";
import { finishAuthorization } from "#lib/domain/connections/oauth/finish-authorization";
import { startAuthorization } from "#lib/domain/connections/oauth/start-authorization";
import { takeAuthorization } from "#lib/domain/connections/oauth/take-authorization";
import { openConnection } from "#lib/domain/connections/open-connection";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";

await openTestDatabase();

const AUTH = "oauth2_authorization_code";
const CLIENT = { client_id: "client-1", client_secret: "canary-client-secret-77" };
const BASIC = `Basic ${Buffer.from(`${CLIENT.client_id}:${CLIENT.client_secret}`).toString("base64")}`;
const REDIRECT = "http://localhost:3000/api/oauth/callback";
const options =
  HTTP_AUTHS.find(({ name }) => name === AUTH)?.fields.find(({ name }) => name === "service")?.options ?? [];

let ann: TestWorkspace;
let granted = 0;
/** Takes the place of every vendor: its addresses are moved here with their paths. Each token ends at once. */
const vendor = await startVendor(({ method, path }): VendorAnswer => {
  if (method === "GET") return { json: { path } };
  granted += 1;
  return { json: { access_token: `at-${granted}`, refresh_token: `rt-${granted}`, expires_in: 0.001 } };
});
process.env.OUTBOUND_ALLOW = "127.0.0.1";
process.env.CONNECTOR_BASE_URLS = JSON.stringify({ http: vendor.url });
beforeEach(async () => {
  ann = await addWorkspace();
  vendor.requests.length = 0;
});
afterAll(() => vendor.close());

const target = (service: string, more: Record<string, string> = {}) => {
  const { fills = {} } = options.find(({ value }) => value === service) ?? {};
  const fields = { service, ...fills, ...CLIENT, hosts: vendor.url, ...more };
  return { connector: "http", auth: AUTH, name: service, fields };
};
const begin = async (service: string, more?: Record<string, string>) => {
  const started = await startAuthorization({ ...ann, target: target(service, more), returnTo: "/connections" });
  return new URL(started.authorize_url);
};

/** Comes back from the service with a code. */
async function finish(url: URL): Promise<string> {
  const begun = await takeAuthorization(ann.userId, url.searchParams.get("state") ?? "");
  if (!begun) return expect.fail("the sign-in was started");
  const actor = { type: "user", id: ann.userId, name: "Ann" } as const;
  const query = new URLSearchParams({ code: "code-1" });
  const finished = await finishAuthorization({ begun, userId: ann.userId, actor, query });
  return finished.outcome === "connected" ? finished.connectionId : expect.fail(finished.reason);
}

async function call(id: string): Promise<string | undefined> {
  const { send } = await openConnection(ann.workspaceId, id, outgoingSend());
  await send({ method: "GET", url: `${vendor.url}/api`, headers: {}, signal: AbortSignal.timeout(9_000) });
  return vendor.requests.at(-1)?.headers.authorization;
}

/** What a request for a token says, and how the client authenticates in it. */
function readTokenRequest({ headers, json, form }: VendorRequest) {
  const isJson = headers["content-type"] === "application/json";
  const { client_id: id, client_secret: secret, ...said } = isJson ? json : Object.fromEntries(form);
  const how = isJson ? "json" : "body";
  const isInBody = id === CLIENT.client_id && secret === CLIENT.client_secret && headers.authorization === undefined;
  const isInHeader = id === undefined && secret === undefined && headers.authorization === BASIC;
  return { said, client: isInBody ? how : isInHeader ? "basic" : "unclear" };
}

describe.each(OAUTH_PRESETS)("$label", (preset) => {
  test("signs in with its documented parameters, and renews with the refresh token that came last", async () => {
    const url = await begin(preset.name);
    const { state, code_challenge: challenge, ...shown } = Object.fromEntries(url.searchParams);
    expect(url.pathname).toBe(new URL(preset.authorizeUrl).pathname);
    const scope = preset.scopes.join(preset.separator === "comma" ? "," : " ");
    expect(shown).toEqual({
      response_type: "code",
      client_id: CLIENT.client_id,
      redirect_uri: REDIRECT,
      ...(scope === "" ? {} : { scope }),
      ...(preset.hasPkce ? { code_challenge_method: "S256" } : {}),
      ...preset.parameters,
    });
    expect(state).toMatch(/^[\w-]{43}$/);
    expect(challenge !== undefined).toBe(preset.hasPkce === true);

    const id = await finish(url);
    const sent = [await call(id), await call(id)];
    const tokens = vendor.requests.filter(({ method }) => method === "POST");
    expect(tokens.map(({ path }) => path)).toEqual(Array(3).fill(new URL(preset.tokenUrl).pathname));
    const [exchanged, ...renewed] = tokens.map(readTokenRequest);
    const { code_verifier: verifier, ...said } = exchanged?.said ?? {};
    expect(said).toEqual({ grant_type: "authorization_code", code: "code-1", redirect_uri: REDIRECT });
    const digest = createHash("sha256").update(String(verifier)).digest("base64url");
    expect(verifier === undefined ? undefined : digest).toBe(challenge);
    const first = Number(/\d+/.exec(String(renewed[0]?.said.refresh_token))?.[0]);
    expect(renewed.map((request) => request.said)).toEqual([
      { grant_type: "refresh_token", refresh_token: `rt-${first}` },
      { grant_type: "refresh_token", refresh_token: `rt-${first + 1}` },
    ]);
    expect([exchanged, ...renewed].map((request) => request?.client)).toEqual(Array(3).fill(preset.client));
    expect(sent).toEqual([`Bearer at-${first + 1}`, `Bearer at-${first + 2}`]);
  });
});

test("what a person changes after choosing a service is what is sent", async () => {
  const changed = {
    scopes: "gist  read:org",
    scope_separator: "comma",
    pkce: "off",
    authorize_parameters: "login=ann%20b",
  };
  const url = await begin("github", { ...changed, client_authentication: "basic" });
  const asked = Object.fromEntries(url.searchParams);
  expect(asked).toMatchObject({ scope: "gist,read:org", login: "ann b" });
  expect(asked).not.toHaveProperty("code_challenge");
});

test("a connection from before services could be chosen signs in as it did", async () => {
  const { service: _, ...fields } = {
    ...target("other").fields,
    authorize_url: "https://a.example/authorize",
    token_url: "https://a.example/token",
    scopes: "read write",
  };
  const started = await startAuthorization({
    ...ann,
    target: { connector: "http", auth: AUTH, name: "Former", fields },
    returnTo: "/connections",
  });
  const url = new URL(started.authorize_url);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({ scope: "read write", code_challenge_method: "S256" });
  await finish(url);
  const [exchanged] = vendor.requests.filter(({ method }) => method === "POST").map(readTokenRequest);
  expect(exchanged).toMatchObject({ client: "basic", said: { code_verifier: expect.any(String) } });
});
