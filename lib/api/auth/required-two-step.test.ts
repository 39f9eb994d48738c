import { beforeEach, expect, test, vi } from "vitest";
import { postEnterWorkspace } from "#lib/api/auth/enter-workspace-route";
import { findPageEnrollment, findWorkspaceSession, requirePageSession } from "#lib/api/auth/page-session";
import { sessionCookie } from "#lib/api/auth/session.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callRest } from "#lib/api/rest/rest.fixture";
import { newKey } from "#lib/api/testing/mcp-test-caller";
import { webRoute } from "#lib/api/web/web-route";
import { WORKSPACE_COOKIE, WORKSPACE_HEADER } from "#lib/contract/workspace/workspace";
import { codeAt, enrollTotp } from "#lib/domain/accounts/two-step/authenticator.fixture";
import { addMember, type TestMember } from "#lib/domain/workspaces/member.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

/** The headers of the request whose page is rendered. */
let pageHeaders = new Headers();
vi.mock("next/headers", () => ({ headers: async () => pageHeaders }));

useTestDatabase();

/** Requires two-step verification; `member` belongs to it and has no second factor. */
let strict: TestWorkspace;
let member: TestMember;
let cookie: string;
beforeEach(async () => {
  strict = await addWorkspace();
  member = await addMember(strict.workspaceId, "admin");
  cookie = await sessionCookie(member.userId);
  pageHeaders = new Headers({ cookie });
  await db().query("update workspaces set require_two_step = true where id = $1", [strict.workspaceId]);
});

function post(path: string, body: object, headers: Record<string, string> = {}): Request {
  const base = env().PUBLIC_BASE_URL;
  const sent = { origin: base, "content-type": "application/json", cookie, ...headers };
  return new Request(base + path, { method: "POST", headers: sent, body: JSON.stringify(body) });
}

async function ask(operation: string, body: object = {}, headers: Record<string, string> = {}) {
  const params = Promise.resolve({ operation });
  const response = await webRoute(post(`/api/web/${operation}`, body, headers), { params });
  return { status: response.status, body: await response.json() };
}

async function enter(workspaceId: string) {
  const response = await postEnterWorkspace(post("/api/workspace", { workspace_id: workspaceId }));
  return { status: response.status, cookie: response.headers.get("set-cookie"), body: await response.json() };
}

/** Returns the address that a page redirects to, or null. */
async function redirectOf(path: string, query: Record<string, string> = {}): Promise<string | null> {
  try {
    await requirePageSession(path, query);
    return null;
  } catch (error) {
    return (error as { digest?: string }).digest?.split(";")[2] ?? null;
  }
}

async function enroll(): Promise<void> {
  const { rows } = await db().query<{ id: string }>("select id from user_sessions where user_id = $1", [member.userId]);
  await enrollTotp(member.userId, rows[0]?.id ?? "");
}

/** What a member can do before setting up a second factor. */
const ABOUT_ACCOUNT = [
  ...["update_account", "change_password", "sign_out_everywhere", "get_sign_in_methods", "remove_identity"],
  ...["list_sessions", "list_account_activity", "end_sessions", "list_workspaces", "accept_invite"],
  ...["get_two_step", "begin_totp", "confirm_totp", "begin_passkey", "add_passkey", "remove_factor"],
  ...["replace_recovery_codes", "begin_confirmation", "confirm_identity"],
];

test("a workspace that requires two-step verification refuses every operation that is not about the own account", async () => {
  const open: string[] = [];
  for (const { name } of [...OPERATIONS, { name: "no_such_operation" }]) {
    // An unknown field: an operation that is not held back refuses it, and nothing changes.
    const { status, body } = await ask(name, { no_such_field: true });
    if (body.reason === "two_step_required") expect([name, status, body.code]).toEqual([name, 403, "FORBIDDEN"]);
    else open.push(name);
  }
  expect(open.toSorted()).toEqual(ABOUT_ACCOUNT.toSorted());
});

test("the refusal names the workspace and the page that helps", async () => {
  const { body } = await ask("get_session");
  const url = `${env().PUBLIC_BASE_URL}/two-step?workspace=${strict.workspaceId}`;
  expect(body).toEqual({
    error: `Test requires two-step verification. Set it up at ${url}, then try again.`,
    code: "FORBIDDEN",
    reason: "two_step_required",
    details: { workspace_id: strict.workspaceId },
  });
});

test("a member gets in with the request after the second factor is set up, in the same session", async () => {
  const { secret } = (await ask("begin_totp")).body;
  expect((await ask("get_session")).status).toBe(403);
  expect((await ask("confirm_totp", { code: codeAt(secret) })).body.recovery_codes).toHaveLength(10);
  expect(await ask("get_session")).toMatchObject({ status: 200, body: { user: { user_id: member.userId } } });
});

test("a member cannot enter or switch to the workspace, and keeps using other ones", async () => {
  const other = await addWorkspace();
  const join = "insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'viewer')";
  await db().query(join, [other.workspaceId, member.userId]);
  expect(await enter(strict.workspaceId)).toMatchObject({
    status: 403,
    cookie: null,
    body: { reason: "two_step_required" },
  });
  expect((await enter(other.workspaceId)).cookie).toContain(other.workspaceId);
  const shownIn = (workspaceId: string) => ask("get_session", {}, { [WORKSPACE_HEADER]: workspaceId });
  expect((await shownIn(other.workspaceId)).status).toBe(200);
  expect((await shownIn(strict.workspaceId)).status).toBe(403);
  pageHeaders = new Headers({ cookie: `${cookie}; ${WORKSPACE_COOKIE}=${other.workspaceId}` });
  expect(await redirectOf("/runs")).toBeNull();
});

test("pages lead to the page that sets it up, and from there to the page that the member wanted", async () => {
  expect(await redirectOf("/runs", { status: "failed" })).toBe("/two-step?callbackUrl=%2Fruns%3Fstatus%3Dfailed");
  expect(await findWorkspaceSession()).toBeNull();
  expect(await findPageEnrollment(null)).toMatchObject({
    missing: "two_step",
    session: { workspace: { name: "Test" } },
  });
  await enroll();
  expect(await redirectOf("/runs", { status: "failed" })).toBeNull();
  expect(await findWorkspaceSession()).toMatchObject({ user: { user_id: member.userId } });
});

test("the page that sets it up is about the workspace that was asked for, if the member belongs to it", async () => {
  const [other, foreign] = [await addWorkspace(), await addWorkspace()];
  const join = "insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'viewer')";
  await db().query(join, [other.workspaceId, member.userId]);
  const workspaceOf = async (asked: string) => (await findPageEnrollment(asked))?.session.workspace.workspace_id;
  expect(await workspaceOf(other.workspaceId)).toBe(other.workspaceId);
  expect(await workspaceOf(foreign.workspaceId)).toBe(strict.workspaceId);
  expect(await workspaceOf("nonsense")).toBe(strict.workspaceId);
});

test("an API key works in a workspace that requires two-step verification of its members", async () => {
  const actor = { type: "user" as const, id: strict.userId, name: "Owner" };
  const key = await newKey({ ...strict, actor }, "actions:read");
  expect((await callRest("GET", "/actions", { key })).status).toBe(200);
});

test("a member who removes the last second factor is kept out with the next request", async () => {
  await enroll();
  expect((await ask("get_session")).status).toBe(200);
  await ask("remove_factor");
  expect((await ask("get_session")).body).toMatchObject({ reason: "two_step_required" });
  expect(await redirectOf("/runs")).toContain("/two-step");
});
