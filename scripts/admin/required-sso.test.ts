import { beforeEach, expect, test, vi } from "vitest";
import { postEnterWorkspace } from "#lib/api/auth/enter-workspace-route";
import { findPageEnrollment, requirePageSession } from "#lib/api/auth/page-session";
import { sessionCookie } from "#lib/api/auth/session.fixture";
import { callRest } from "#lib/api/rest/rest.fixture";
import { newKey } from "#lib/api/testing/mcp-test-caller";
import { webRoute } from "#lib/api/web/web-route";
import { codeAt, TestAuthenticator } from "#lib/domain/accounts/two-step/authenticator.fixture";
import { addMember, type TestMember } from "#lib/domain/workspaces/member.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { runAdmin } from "#scripts/admin/run-admin";

/** The headers of the request for the rendered page. */
let pageHeaders = new Headers();
vi.mock("next/headers", () => ({ headers: async () => pageHeaders }));

useTestDatabase();

/** A workspace that requires its provider. `member` signed in with a password. */
let strict: TestWorkspace;
let member: TestMember;
let cookie: string;

beforeEach(async () => {
  strict = await addWorkspace();
  member = await addMember(strict.workspaceId, "admin");
  await db().query("insert into workspace_sso (workspace_id, provider, is_required) values ($1, 'company', true)", [
    strict.workspaceId,
  ]);
  await beUser(member.userId);
});

async function beUser(userId: string): Promise<void> {
  cookie = await sessionCookie(userId);
  pageHeaders = new Headers({ cookie });
}

function post(path: string, body: object): Request {
  const base = env().PUBLIC_BASE_URL;
  const headers = { origin: base, "content-type": "application/json", cookie };
  return new Request(base + path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function ask(operation: string, body: object = {}) {
  const response = await webRoute(post(`/api/web/${operation}`, body), { params: Promise.resolve({ operation }) });
  return { status: response.status, body: await response.json() };
}

const setSession = (change: string) => db().query(`update user_sessions set ${change}`);

/** Returns the address that a page redirects to, or null. */
async function redirectOf(path: string): Promise<string | null> {
  try {
    await requirePageSession(path, {});
    return null;
  } catch (error) {
    return (error as { digest?: string }).digest?.split(";")[2] ?? null;
  }
}

test("a password session cannot use the workspace, and the refusal names the page that resolves it", async () => {
  expect((await ask("get_session")).body).toEqual({
    error: `Test requires single sign-on. Sign in at ${env().PUBLIC_BASE_URL}/sso?workspace=${strict.workspaceId}, then try again.`,
    code: "FORBIDDEN",
    reason: "sso_required",
    details: { workspace_id: strict.workspaceId },
  });
  expect(await redirectOf("/runs")).toBe("/sso?callbackUrl=%2Fruns");
  const entered = await postEnterWorkspace(post("/api/workspace", { workspace_id: strict.workspaceId }));
  expect([entered.status, entered.headers.get("set-cookie")]).toEqual([403, null]);
  expect(await findPageEnrollment(null)).toMatchObject({ missing: "sso", isWayBackOpen: false });
});

test("a session of the provider opens the workspace, and one of another provider does not", async () => {
  await setSession("method = 'oidc', provider = 'another'");
  expect((await ask("get_session")).body).toMatchObject({ reason: "sso_required" });
  await setSession("provider = 'company'");
  expect((await ask("get_session")).status).toBe(200);
  expect(await redirectOf("/runs")).toBeNull();
});

test("the account and other workspaces stay open, and API keys keep working", async () => {
  expect((await ask("list_sessions")).status).toBe(200);
  const actor = { type: "user" as const, id: strict.userId, name: "Owner" };
  const key = await newKey({ ...strict, actor }, "actions:read");
  expect((await callRest("GET", "/actions", { key })).status).toBe(200);
});

test("an owner can turn the requirement off only with a second factor", async () => {
  const turnOff = () => ask("set_required_sso", { is_required: false });
  await setSession("second_factor = 'authenticator'");
  expect((await turnOff()).body).toMatchObject({ reason: "sso_required" });
  await beUser(strict.userId);
  expect((await turnOff()).body).toMatchObject({ reason: "sso_required" });
  await setSession("second_factor = 'provider', method = 'oidc', provider = 'another'");
  expect((await turnOff()).body).toMatchObject({ reason: "sso_required" });
  await setSession("second_factor = 'recovery_code', method = 'password', provider = null");
  expect((await ask("get_session")).body).toMatchObject({ reason: "sso_required" });
  expect((await ask("set_required_sso", { is_required: true })).status).toBe(400);
  expect((await turnOff()).status).toBe(200);
  expect((await ask("get_session")).status).toBe(200);
  const { rows } = await db().query("select details from audit_events where action = 'workspace.sso_changed'");
  expect(rows).toEqual([{ details: { is_required: { from: true, to: false } } }]);
});

/** Adds a passkey to the signed-in user; returns the answer to the last request. */
async function addPasskey() {
  const begun = await ask("begin_passkey");
  if (begun.status !== 200) return begun;
  return ask("add_passkey", {
    name: "Key",
    token: begun.body.token,
    response: new TestAuthenticator().create(begun.body),
  });
}

test("an owner's password does not add the second factor that turns it off, and the provider's session does", async () => {
  const refusal = { status: 403, body: { reason: "sso_required", details: { workspace_id: strict.workspaceId } } };
  await beUser(strict.userId);
  await db().query("update workspace_sso set is_required = false");
  const { secret } = (await ask("begin_totp")).body;
  const passkey = (await ask("begin_passkey")).body;
  await db().query("update workspace_sso set is_required = true");
  expect(await ask("begin_totp")).toMatchObject(refusal);
  expect(await ask("confirm_totp", { code: codeAt(secret) })).toMatchObject(refusal);
  expect(await ask("begin_passkey")).toMatchObject(refusal);
  const response = new TestAuthenticator().create(passkey);
  expect(await ask("add_passkey", { name: "Key", token: passkey.token, response })).toMatchObject(refusal);
  expect((await ask("get_two_step")).body).toMatchObject({ is_on: false });
  await setSession("method = 'oidc', provider = 'another'");
  expect(await ask("begin_totp")).toMatchObject(refusal);

  await setSession("provider = 'company'");
  expect((await ask("confirm_totp", { code: codeAt(secret) })).body.recovery_codes).toHaveLength(10);
  await setSession("method = 'password', provider = null, second_factor = 'authenticator'");
  expect((await addPasskey()).status).toBe(200);
  expect((await ask("set_required_sso", { is_required: false })).status).toBe(200);
});

test("a member who owns nothing can add a second factor in any session", async () => {
  expect((await addPasskey()).status).toBe(200);
});

test("the operator stops the requirement from the command line", async () => {
  const { rows } = await db().query<{ slug: string }>("select slug from workspaces where id = $1", [
    strict.workspaceId,
  ]);
  const reset = async () => JSON.parse(await runAdmin("reset-sso", ["--workspace", rows[0]?.slug ?? ""]));
  expect(await reset()).toMatchObject({ was_required: true });
  expect((await ask("get_session")).status).toBe(200);
  expect(await reset()).toMatchObject({ was_required: false });
});

test("a second factor that the provider verified satisfies required two-step verification", async () => {
  await db().query("update workspaces set require_two_step = true where id = $1", [strict.workspaceId]);
  await setSession("method = 'oidc', provider = 'company'");
  expect((await ask("get_session")).body).toMatchObject({ reason: "two_step_required" });
  await setSession("second_factor = 'provider'");
  expect((await ask("get_session")).status).toBe(200);
});
