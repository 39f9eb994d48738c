import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { oauthCallbackRoute } from "#lib/api/auth/oauth-callback-route";
import { sessionCookie } from "#lib/api/auth/session.fixture";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { WORKSPACE_COOKIE } from "#lib/contract/workspace/workspace";
import { getConnection } from "#lib/domain/connections/get-connection";
import { OAUTH_CLIENT, startAuthorizationServer } from "#lib/domain/connections/oauth/oauth-server.fixture";
import { openConnection } from "#lib/domain/connections/open-connection";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";

await openTestDatabase();

let ann: TestWorkspace;
process.env.OUTBOUND_ALLOW = "127.0.0.1";
const server = await startAuthorizationServer();
beforeEach(async () => {
  ann = await addWorkspace();
  server.requests.length = 0;
  server.failures.length = 0;
  server.expiresIn = 3_600;
});
afterAll(() => server.close());

async function ask<Name extends keyof WebOperations>(name: Name, input: WebOperations[Name]["input"]) {
  const operation = OPERATIONS.find((candidate) => candidate.name === name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  const caller = { kind: "user", role: "editor", name: "Ann", ...ann } as const;
  return (await invoke(operation, caller, input, requestContext())) as WebOperations[Name]["output"];
}

const fields = (more: Record<string, string> = {}) => ({
  client_id: OAUTH_CLIENT.id,
  client_secret: OAUTH_CLIENT.secret,
  authorize_url: `${server.url}/authorize`,
  token_url: `${server.url}/token`,
  hosts: server.url,
  test_url: `${server.url}/api`,
  scopes: "read write",
  ...more,
});
/** A lifetime that is over before the token is used. */
const ENDED_AT_ONCE = 0.001;
const http = { connector: "http", auth: "oauth2_authorization_code", name: "CRM" };
const begin = () => ask("start_authorization", { ...http, fields: fields(), return_to: "/workflows/1?x=2" });

/** Follows the browser to the service, where the person consents, and back with the parameters of the service. */
async function visit(authorizeUrl: string): Promise<URL> {
  const response = await fetch(authorizeUrl, { redirect: "manual" });
  return new URL(response.headers.get("location") ?? "");
}

async function comeBack(url: URL, who: TestWorkspace | null = ann, shown = who?.workspaceId): Promise<URL> {
  const cookie = who ? `${await sessionCookie(who.userId)}; ${WORKSPACE_COOKIE}=${shown}` : "";
  const response = await oauthCallbackRoute(new Request(url, { headers: { cookie } }));
  expect(response.status).toBe(303);
  return new URL(response.headers.get("location") ?? "", "http://localhost");
}

async function signIn(): Promise<string> {
  const back = await comeBack(await visit((await begin()).authorize_url));
  return back.searchParams.get("signed_in") ?? expect.fail(back.search);
}

const callApi = async (id: string, open = openConnection) => {
  const connection = await open(ann.workspaceId, id, outgoingSend());
  return connection.send({ method: "GET", url: `${server.url}/api`, headers: {}, signal: AbortSignal.timeout(9_000) });
};

describe("signing in", () => {
  test("uses PKCE and a state, creates a connection that works, and returns to the page", async () => {
    const { authorize_url: url } = await begin();
    const asked = Object.fromEntries(new URL(url).searchParams);
    expect(asked).toMatchObject({
      response_type: "code",
      client_id: OAUTH_CLIENT.id,
      redirect_uri: "http://localhost:3000/api/oauth/callback",
      scope: "read write",
      code_challenge_method: "S256",
    });
    const back = await comeBack(await visit(url));
    expect(back.pathname + back.search).toMatch(/^\/workflows\/1\?x=2&signed_in=[0-9a-f-]{36}$/);
    const id = back.searchParams.get("signed_in") ?? "";
    expect(await getConnection(ann.workspaceId, id)).toMatchObject({
      status: "connected",
      signs_in: true,
      ends_at: null,
      name: "CRM",
    });
    expect((await callApi(id)).status).toBe(200);
    const { rows } = await db().query("select credentials_sealed::text as text from connections where id = $1", [id]);
    expect(rows[0].text).not.toContain(Buffer.from("at-").toString("hex"));
  });

  test("can be finished by no one else, in no other workspace, and only once", async () => {
    const returned = await visit((await begin()).authorize_url);
    const eve = await addWorkspace();
    expect((await comeBack(returned, eve)).search).toBe("?sign_in_failed=expired");
    expect((await comeBack(returned, null)).search).toBe("?sign_in_failed=signed_out");
    expect((await comeBack(returned)).searchParams.get("signed_in")).not.toBeNull();
    expect((await comeBack(returned)).search).toBe("?sign_in_failed=expired");
    const forged = new URL(returned);
    forged.searchParams.set("state", "made-up");
    expect((await comeBack(forged)).search).toBe("?sign_in_failed=expired");
  });

  test("ends in the workspace where it was started, whichever one the browser shows by then", async () => {
    const { workspaceId: other } = await addWorkspace();
    const join = "insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'owner')";
    await db().query(join, [other, ann.userId]);
    const url = await visit((await begin()).authorize_url);
    const id = (await comeBack(url, ann, other)).searchParams.get("signed_in") ?? "";
    expect(await getConnection(ann.workspaceId, id)).toMatchObject({ name: "CRM" });
    const { rows } = await db().query("select id from connections where workspace_id = $1", [other]);
    expect(rows).toEqual([]);
  });

  test("is refused to a person who may no longer create connections there, whatever they may do elsewhere", async () => {
    const { workspaceId: other } = await addWorkspace();
    const join = "insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'owner')";
    await db().query(join, [other, ann.userId]);
    const url = await visit((await begin()).authorize_url);
    const own = [ann.workspaceId, ann.userId];
    await db().query("update workspace_members set role = 'viewer' where workspace_id = $1 and user_id = $2", own);
    expect((await comeBack(url, ann, other)).search).toBe("?sign_in_failed=not_allowed");
  });

  test("creates nothing in a workspace that requires two-step verification, and leads to where it is set up", async () => {
    const url = await visit((await begin()).authorize_url);
    await db().query("update workspaces set require_two_step = true where id = $1", [ann.workspaceId]);
    const back = await comeBack(url);
    expect(back.pathname).toBe("/two-step");
    expect(Object.fromEntries(back.searchParams)).toEqual({
      workspace: ann.workspaceId,
      callbackUrl: "/workflows/1?x=2&sign_in_failed=two_step_required",
    });
    const { rows } = await db().query("select id from connections where workspace_id = $1", [ann.workspaceId]);
    expect(rows).toEqual([]);
  });

  test("creates nothing in a workspace that requires single sign-on, and leads to where the person signs in", async () => {
    const url = await visit((await begin()).authorize_url);
    const require = "insert into workspace_sso (workspace_id, provider, is_required) values ($1, 'company', true)";
    await db().query(require, [ann.workspaceId]);
    const back = await comeBack(url);
    expect(back.pathname).toBe("/sso");
    expect(Object.fromEntries(back.searchParams)).toEqual({
      workspace: ann.workspaceId,
      callbackUrl: "/workflows/1?x=2&sign_in_failed=sso_required",
    });
    const { rows } = await db().query("select id from connections where workspace_id = $1", [ann.workspaceId]);
    expect(rows).toEqual([]);
  });

  test("that the person or the service refuses shows why, by a code and not in the service's words", async () => {
    const state = new URL((await begin()).authorize_url).searchParams.get("state");
    const denied = new URL(`http://localhost:3000/api/oauth/callback?error=access_denied&state=${state}`);
    expect((await comeBack(denied)).searchParams.get("sign_in_failed")).toBe("access_denied");
    const other = new URL((await begin()).authorize_url).searchParams.get("state");
    const shouted = new URL(`http://localhost:3000/api/oauth/callback?error=Call+0900+now&state=${other}`);
    expect((await comeBack(shouted)).searchParams.get("sign_in_failed")).toBe("refused");
    const wrong = await visit((await begin()).authorize_url);
    wrong.searchParams.set("code", "another");
    expect((await comeBack(wrong)).searchParams.get("sign_in_failed")).toBe("exchange_failed");
  });
});

describe("a token", () => {
  test("that has expired is renewed once, however many workers need it at the same moment", async () => {
    server.expiresIn = ENDED_AT_ONCE;
    const id = await signIn();
    server.expiresIn = 3_600;
    // A second set of modules stands for another process: it shares nothing but the database.
    vi.resetModules();
    const other = await import("#lib/domain/connections/open-connection");
    const calls = [openConnection, other.openConnection].flatMap((open) => [1, 2, 3, 4].map(() => callApi(id, open)));
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(server.grants("refresh_token")).toHaveLength(1);
  });

  test("that the service ended early is renewed after the 401, and the request is sent again", async () => {
    const id = await signIn();
    server.endTokens();
    expect((await callApi(id)).status).toBe(200);
    expect(server.grants("refresh_token")).toHaveLength(1);
    expect(await getConnection(ann.workspaceId, id)).toMatchObject({ status: "connected", last_error: null });
  });

  test("that cannot be renewed ends the step with AUTH_EXPIRED until someone signs in again", async () => {
    const id = await signIn();
    server.revoke();
    await expect(callApi(id)).rejects.toMatchObject({ code: "AUTH_EXPIRED" });
    expect(await getConnection(ann.workspaceId, id)).toMatchObject({
      status: "expired",
      last_error: expect.stringContaining("invalid_grant"),
    });
    const { authorize_url: url } = await ask("start_authorization", { connection_id: id });
    expect((await comeBack(await visit(url))).search).toBe(`?signed_in=${id}`);
    expect(await getConnection(ann.workspaceId, id)).toMatchObject({ status: "connected", last_error: null });
    expect((await callApi(id)).status).toBe(200);
  });

  test.each(["invalid_refresh_token", "bad_refresh_token", "token_revoked"])(
    "that the service refuses to renew with the status 200 and %s ends the sign-in",
    async (error) => {
      server.expiresIn = ENDED_AT_ONCE;
      const id = await signIn();
      server.failures.push({ json: { ok: false, error } });
      await expect(callApi(id)).rejects.toMatchObject({ code: "AUTH_EXPIRED" });
      expect(await getConnection(ann.workspaceId, id)).toMatchObject({
        status: "expired",
        last_error: expect.stringContaining(error),
      });
    },
  );

  test("is not lost when the status 200 comes with a failure that passes", async () => {
    server.expiresIn = ENDED_AT_ONCE;
    const id = await signIn();
    server.failures.push({ json: { ok: false, error: "fatal_error" } });
    await expect(callApi(id)).rejects.toMatchObject({ message: expect.stringContaining("fatal_error") });
    expect(await getConnection(ann.workspaceId, id)).toMatchObject({ status: "connected" });
    expect((await callApi(id)).status).toBe(200);
  });

  test("is not lost while the service cannot be reached", async () => {
    server.expiresIn = ENDED_AT_ONCE;
    const id = await signIn();
    server.failures.push({ status: 503, text: "down" });
    await expect(callApi(id)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    expect(await getConnection(ann.workspaceId, id)).toMatchObject({ status: "connected" });
    expect((await callApi(id)).status).toBe(200);
  });

  test("of client credentials is requested without a person, and again when it has expired", async () => {
    const { authorize_url: _, ...own } = fields();
    const { connection, test: tested } = await ask("create_connection", {
      connector: "http",
      auth: "oauth2_client_credentials",
      name: "Machine",
      fields: own,
    });
    expect(tested).toMatchObject({ outcome: "ok" });
    server.endTokens();
    expect((await callApi(connection.connection_id)).status).toBe(200);
    expect(server.grants("client_credentials")).toHaveLength(2);
    const wrong = { ...own, client_secret: "wrong" };
    const refused = ask("create_connection", {
      connector: "http",
      auth: "oauth2_client_credentials",
      name: "Wrong",
      fields: wrong,
    });
    await expect(refused).rejects.toMatchObject({
      code: "CONNECTION_TEST_FAILED",
      message: expect.stringContaining("invalid_client"),
    });
  });
});
