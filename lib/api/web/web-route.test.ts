import { encode } from "next-auth/jwt";
import { beforeEach, expect, test } from "vitest";
import { sessionCookieName } from "#lib/api/auth/auth-options";
import { postEnterWorkspace } from "#lib/api/auth/enter-workspace-route";
import { sessionCookie } from "#lib/api/auth/session.fixture";
import { postSignUp } from "#lib/api/auth/sign-up-route";
import { webMethodNotAllowed, webRoute } from "#lib/api/web/web-route";
import { newEditor } from "#lib/domain/workflows/workflow.fixture";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const BASE = "http://localhost:3000";
let cookie: string;

const ann = await newEditor("ann");
beforeEach(async () => {
  cookie = await sessionCookie(ann.userId);
});

interface Sent {
  body?: string;
  headers?: Record<string, string | undefined>;
}

function send(path: string, { body = "{}", headers = {} }: Sent): Request {
  const given = { origin: BASE, "content-type": "application/json", cookie, ...headers };
  const set = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new Request(`${BASE}${path}`, { method: "POST", body, headers: set });
}

async function ask(operation: string, sent: Sent = {}) {
  const params = Promise.resolve({ operation });
  const response = await webRoute(send(`/api/web/${operation}`, sent), { params });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test("an operation answers the signed-in user, uncached and with a request id", async () => {
  const { status, headers, body } = await ask("get_session");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    user: { user_id: ann.userId },
    workspace: { workspace_id: ann.workspaceId },
    role: "owner",
    base_url: BASE,
  });
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
});

test("a missing, forged, unlisted or malformed session gets 401", async () => {
  const forged = await sessionCookie(ann.userId, "another secret of at least thirty-two characters");
  const name = sessionCookieName();
  const token = { sub: ann.userId, epoch: 0 };
  const nowhere = `${name}=${await encode({ token, secret: env().NEXTAUTH_SECRET })}`;
  for (const value of [
    undefined,
    "",
    forged,
    nowhere,
    `${name}=`,
    `${name}=a.b.c`,
    `${name}=${"x".repeat(5_000)}`,
    "=;;=x",
  ]) {
    const { status, body } = await ask("get_session", { headers: { cookie: value } });
    expect(status).toBe(401);
    expect(body).toEqual({ error: "Sign in to continue.", code: "UNAUTHORIZED", reason: "not_signed_in" });
  }
});

test("a session ends with the next request after the user signs out everywhere or leaves the workspace", async () => {
  const bob = await newEditor("bob");
  const headers = { cookie: await sessionCookie(bob.userId) };
  expect((await ask("get_session", { headers })).status).toBe(200);
  await db().query("update users set session_epoch = 1 where id = $1", [bob.userId]);
  expect((await ask("get_session", { headers })).status).toBe(401);
  await db().query("update users set session_epoch = 0 where id = $1", [bob.userId]);
  await db().query("delete from workspace_members where user_id = $1", [bob.userId]);
  expect((await ask("get_session", { headers })).status).toBe(401);
});

test("an open page acts only in the workspace it shows, even if another tab switched to a different one", async () => {
  const [carl, other] = [await newEditor("carl"), await newEditor("other")];
  await db().query("insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'editor')", [
    other.workspaceId,
    carl.userId,
  ]);
  const signedIn = await sessionCookie(carl.userId);
  const switched = `${signedIn}; signalbox.workspace=${other.workspaceId}`;
  const shownIn = async (cookie: string, shown?: string) => {
    const { status, body } = await ask("get_session", { headers: { cookie, "x-workspace-id": shown } });
    return status === 200 ? body.workspace.workspace_id : status;
  };
  const enter = (workspaceId: string) =>
    postEnterWorkspace(
      send("/api/workspace", { body: JSON.stringify({ workspace_id: workspaceId }), headers: { cookie: signedIn } }),
    );
  expect((await enter(other.workspaceId)).headers.get("set-cookie")).toMatch(
    `signalbox.workspace=${other.workspaceId};`,
  );
  expect((await enter(ann.workspaceId)).status).toBe(401);
  expect(await shownIn(signedIn)).toBe(carl.workspaceId);
  expect(await shownIn(switched)).toBe(other.workspaceId);
  expect(await shownIn(switched, carl.workspaceId)).toBe(carl.workspaceId);
  expect(await shownIn(signedIn, ann.workspaceId)).toBe(401);
  expect(await shownIn(signedIn, "nonsense")).toBe(401);
  await db().query("delete from workspace_members where user_id = $1 and workspace_id = $2", [
    carl.userId,
    other.workspaceId,
  ]);
  expect(await shownIn(switched, other.workspaceId)).toBe(401);
  expect(await shownIn(switched)).toBe(carl.workspaceId);
});

test.each([
  undefined,
  "null",
  "https://evil.com",
  "http://localhost:3001",
  "http://localhost:3000.evil.com",
  "nonsense",
])("a request from the origin %s is refused, even with a session", async (origin) => {
  const { status, body } = await ask("create_workflow", { body: '{"name":"x"}', headers: { origin } });
  expect(status).toBe(403);
  expect(body.code).toBe("FORBIDDEN");
});

test("the address in the browser's address bar counts as our origin", async () => {
  const headers = { origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" };
  expect((await ask("get_session", { headers })).status).toBe(200);
});

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/jsonp",
  undefined,
])("a body of the type %s, which a form of another site could send, is refused", async (type) => {
  expect((await ask("get_session", { headers: { "content-type": type } })).status).toBe(400);
});

test.each([
  "{",
  "null",
  "[]",
  '"text"',
  "1",
  "\u0000",
  '{"name":"a\\u0000b"}',
  '{"name":"\\ud800"}',
  '{"name":1}',
  '{"name":"x","definition":{"nodes":[{"id":"1x","type":"condition"}],"edges":[]}}',
  '{"name":"x","definition":{"nodes":[],"edges":[]},"surprise":true}',
  '{"name":"x","__proto__":{"a":1}}',
  `{"name":"x","definition":${"[".repeat(500)}${"]".repeat(500)}}`,
  `{"a":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`,
])("the body %.60s is answered with 400", async (body) => {
  const answer = await ask("create_workflow", { body });
  expect(answer.status).toBe(400);
  expect(answer.body.code).toBe("BAD_REQUEST");
});

test("an invalid field is named, with its pointer", async () => {
  const body = '{"name":"x","definition":{"nodes":[{"id":"1x","type":"condition"}],"edges":[]}}';
  const answer = await ask("create_workflow", { body });
  expect(answer.body.details).toMatchObject([{ field: "definition.nodes.0.id", pointer: "/definition/nodes/0/id" }]);
});

test("a body over 1 MiB is answered with 413, even if it has no content-length", async () => {
  const big = JSON.stringify({ name: "x", description: "y".repeat(1_048_576) });
  expect((await ask("create_workflow", { body: big })).status).toBe(413);
  const stream = new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode(" ".repeat(65_536)));
    },
  });
  const headers = { origin: BASE, "content-type": "application/json", cookie };
  const init = { method: "POST", headers, body: stream, duplex: "half" };
  const params = Promise.resolve({ operation: "create_workflow" });
  const response = await webRoute(new Request(`${BASE}/api/web/create_workflow`, init), { params });
  expect(response.status).toBe(413);
});

test("an unknown operation is 404, and another method is 405", async () => {
  expect((await ask("drop_tables")).status).toBe(404);
  expect((await ask("__proto__")).status).toBe(404);
  const response = await webMethodNotAllowed();
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
});

test("a viewer can read but not change data", async () => {
  const viewer = await newEditor("viewer");
  await db().query("update workspace_members set role = 'viewer' where user_id = $1", [viewer.userId]);
  const headers = { cookie: await sessionCookie(viewer.userId) };
  expect((await ask("list_workflows", { headers })).status).toBe(200);
  const refused = await ask("create_workflow", { headers, body: '{"name":"x"}' });
  expect(refused.status).toBe(403);
  expect(refused.body.details).toEqual({ required_role: "editor", role: "viewer" });
});

test("a workflow of another user gets the same answer as an unknown one", async () => {
  const { body: mine } = await ask("create_workflow", { body: '{"name":"Mine"}' });
  const eve = { cookie: await sessionCookie((await newEditor("eve")).userId) };
  const unknown = "01900000-0000-7000-8000-000000000000";
  for (const [operation, more] of [
    ["get_workflow", {}],
    ["update_workflow", { name: "Hers" }],
    ["delete_workflow", {}],
    ["deploy_workflow", { slug: "hers" }],
    ["preview_publish", {}],
    ["check_slug", { slug: "hers" }],
  ] as const) {
    const [foreign, none] = [mine.workflow_id, unknown].map((id) =>
      ask(operation, { headers: eve, body: JSON.stringify({ workflow_id: id, ...more }) }),
    );
    const [a, b] = [await foreign, await none];
    expect(a?.status).toBe(404);
    expect(a?.body).toEqual(b?.body);
  }
});

test("sign-up refuses other sites, invalid bodies and, on an instance with an owner, users without an invite", async () => {
  const account = { name: "Mallory", email: "mallory@example.com", password: "long enough 1" };
  const post = async (sent: Sent) => {
    const response = await postSignUp(send("/api/sign-up", sent));
    return { status: response.status, body: await response.json() };
  };
  const body = JSON.stringify(account);
  expect((await post({ body, headers: { origin: "https://evil.com" } })).status).toBe(403);
  expect((await post({ body: "{" })).status).toBe(400);
  const short = await post({ body: JSON.stringify({ ...account, password: "short" }) });
  expect(short.body.details).toMatchObject([{ field: "password", pointer: "/password" }]);
  expect(await post({ body })).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
  expect(await post({ body: JSON.stringify({ ...account, is_admin: true }) })).toMatchObject({ status: 400 });
});

test("one address can try to sign up fifty times in a quarter of an hour", async () => {
  const headers = { "x-signalbox-client-address": "9.9.9.9" };
  const body = JSON.stringify({ name: "M", email: "m@example.com", password: "long enough 1" });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 51; attempt++) {
    const response = await postSignUp(send("/api/sign-up", { body, headers }));
    statuses.push(response.status);
    if (response.status === 429) expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect(statuses).toEqual([...Array(50).fill(403), 429]);
});
