import { beforeEach, expect, test, vi } from "vitest";
import { findPageEnrollment, requirePageSession } from "#lib/api/auth/page-session";
import { sessionCookie } from "#lib/api/auth/session.fixture";
import { webRoute } from "#lib/api/web/web-route";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

/** The headers of the request whose page is rendered. */
let pageHeaders = new Headers();
vi.mock("next/headers", () => ({ headers: async () => pageHeaders }));

useTestDatabase();

/** Requires single sign-on; `cookie` is of its owner, who signed in with a password. */
let strict: TestWorkspace;
let cookie: string;
beforeEach(async () => {
  strict = await addWorkspace();
  cookie = await sessionCookie(strict.userId);
  pageHeaders = new Headers({ cookie });
  const require = "insert into workspace_sso (workspace_id, provider, is_required) values ($1, 'company', true)";
  await db().query(require, [strict.workspaceId]);
});

const changeSession = (change: string) =>
  db().query(`update user_sessions set ${change} where user_id = $1`, [strict.userId]);

async function ask(operation: string, body: object) {
  const base = env().PUBLIC_BASE_URL;
  const headers = { origin: base, "content-type": "application/json", cookie };
  const request = new Request(`${base}/api/web/${operation}`, { method: "POST", headers, body: JSON.stringify(body) });
  const response = await webRoute(request, { params: Promise.resolve({ operation }) });
  return { status: response.status, body: await response.json() };
}

const turnOff = () => ask("set_required_sso", { is_required: false });

test("the way back needs an own second factor, not one of the provider", async () => {
  expect((await turnOff()).body).toMatchObject({ reason: "sso_required" });
  await changeSession("second_factor = 'provider'");
  expect((await turnOff()).body).toMatchObject({ reason: "sso_required" });
  await changeSession("second_factor = 'authenticator'");
  expect((await turnOff()).status).toBe(200);
  expect((await ask("get_session", {})).status).toBe(200);
});

test("the way back is open to a session that started with a passkey", async () => {
  await changeSession("method = 'passkey'");
  expect((await findPageEnrollment(null))?.isWayBackOpen).toBe(true);
  expect((await turnOff()).status).toBe(200);
});

test("the way back needs a recent sign-in, and opens nothing else", async () => {
  await changeSession("second_factor = 'authenticator', verified_at = now() - interval '11 minutes'");
  expect(await turnOff()).toMatchObject({ status: 403, body: { reason: "confirmation_needed" } });
  await changeSession("verified_at = now()");
  expect((await ask("list_runs", {})).body).toMatchObject({ reason: "sso_required" });
  expect((await ask("set_sso_rule", { rule: null })).body).toMatchObject({ reason: "sso_required" });
});

test("the way back is closed to an admin who is not an owner", async () => {
  await changeSession("second_factor = 'authenticator'");
  await db().query("update workspace_members set role = 'admin' where user_id = $1", [strict.userId]);
  expect((await turnOff()).body).toMatchObject({ reason: "sso_required" });
});

test("pages lead to single sign-on first, also if two-step verification is required as well", async () => {
  await db().query("update workspaces set require_two_step = true where id = $1", [strict.workspaceId]);
  const redirect = await requirePageSession("/runs").catch((error: { digest?: string }) => error.digest?.split(";")[2]);
  expect(redirect).toBe("/sso?callbackUrl=%2Fruns");
  // The page /two-step leads to /sso by this.
  expect((await findPageEnrollment(strict.workspaceId))?.missing).toBe("sso");
});
