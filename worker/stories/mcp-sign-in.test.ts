import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type SignInServer, startSignInServer } from "#lib/connectors/mcp/sign-in-server.fixture";
import { getConnection } from "#lib/domain/connections/get-connection";
import { finishAuthorization } from "#lib/domain/connections/oauth/finish-authorization";
import { startAuthorization } from "#lib/domain/connections/oauth/start-authorization";
import { takeAuthorization } from "#lib/domain/connections/oauth/take-authorization";
import { loadTools } from "#lib/domain/connections/tools/stored-tools";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useRunStage } from "#worker/stories/run-stage.fixture";
import { startTestWorker } from "#worker/supervise/worker-process.fixture";

process.env.OUTBOUND_ALLOW = "127.0.0.1";
const stage = useRunStage();
let server: SignInServer;
beforeAll(async () => {
  server = await startSignInServer();
});
afterEach(() => {
  server.metadata = { server: {}, resource: {} };
});
afterAll(() => server.close());

function begin(name: string, fields: Record<string, string> = {}) {
  const { workspaceId, userId } = stage.workspace;
  const target = {
    connector: "mcp",
    auth: "oauth2_authorization_code",
    name,
    fields: { server_url: server.url, ...fields },
  };
  return startAuthorization({ workspaceId, userId, target, returnTo: "/connections" });
}

/** Follows the browser's redirects to the service, where the person consents, and back. */
async function comeBack(authorizeUrl: string, change: (back: URL) => void = () => undefined) {
  const { userId } = stage.workspace;
  const answer = await fetch(authorizeUrl, { redirect: "manual" });
  const back = new URL(answer.headers.get("location") ?? "");
  change(back);
  const begun = await takeAuthorization(userId, back.searchParams.get("state") ?? "");
  if (!begun) throw new Error("the sign-in is unknown");
  return finishAuthorization({ begun, userId, actor: TEST_ACTOR, query: back.searchParams });
}

async function signIn(name: string): Promise<string> {
  const finished = await comeBack((await begin(name)).authorize_url);
  return finished.outcome === "connected" ? finished.connectionId : expect.fail(finished.reason);
}

function callWeather(connectionId: string) {
  const data = { connector: "mcp", operation: "weather", connection_id: connectionId, params: { city: "Oslo" } };
  return stage.start([node("tool", "connector", data)], "in>tool>out");
}

it("a person needs only the address to sign in: Signalbox finds the server, registers, and reads the tools", async () => {
  const { authorize_url: url } = await begin("Found");
  const asked = Object.fromEntries(new URL(url).searchParams);
  expect(asked).toMatchObject({
    resource: server.url,
    scope: "tools",
    code_challenge_method: "S256",
    redirect_uri: "http://localhost:3000/api/oauth/callback",
  });
  expect(server.registrations.at(-1)).toMatchObject({
    redirect_uris: ["http://localhost:3000/api/oauth/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none",
  });
  const finished = await comeBack(url);
  if (finished.outcome !== "connected") throw new Error(finished.reason);
  const { connectionId: id } = finished;
  const { workspaceId } = stage.workspace;
  expect(await getConnection(workspaceId, id)).toMatchObject({ status: "connected", signs_in: true });
  expect((await loadTools(db(), workspaceId, [id])).get(id)?.tools.map(({ name }) => name)).toEqual(["weather"]);
  expect(server.grants("authorization_code").at(-1)?.get("resource")).toBe(server.url);
});

it("20 simultaneous runs in two workers renew an ended token once", async () => {
  const id = await signIn("Renewed");
  const other = await startTestWorker();
  server.endTokens();
  const runs = await Promise.all(Array.from({ length: 20 }, () => callWeather(id)));
  await Promise.all(runs.map((run) => stage.reaches(run, "succeeded")));
  other.child.kill("SIGKILL");
  await other.exited;
  expect(server.grants("refresh_token")).toHaveLength(1);
  expect(server.grants("refresh_token")[0]?.get("resource")).toBe(server.url);
});

it("a refused renewal ends the step with AUTH_EXPIRED, and a new sign-in repairs the connection", async () => {
  const id = await signIn("Revoked");
  server.revoke();
  expect((await stage.reaches(await callWeather(id), "failed")).error).toMatchObject({ code: "AUTH_EXPIRED" });
  const { workspaceId, userId } = stage.workspace;
  expect(await getConnection(workspaceId, id)).toMatchObject({ status: "expired" });
  const again = await startAuthorization({ workspaceId, userId, target: { connectionId: id }, returnTo: "/" });
  expect(await comeBack(again.authorize_url)).toMatchObject({ outcome: "connected", connectionId: id });
  await stage.reaches(await callWeather(id), "succeeded");
});

it("an answer of another authorization server ends the sign-in", async () => {
  const { authorize_url: url } = await begin("Mixed up");
  const finished = await comeBack(url, (back) => back.searchParams.set("iss", "https://evil.example"));
  expect(finished).toMatchObject({ outcome: "refused", reason: "exchange_failed" });
});

it.each([
  ["PKCE", { server: { code_challenge_methods_supported: ["plain"] }, resource: {} }, /S256/],
  ["the issuer", { server: { issuer: "https://evil.example" }, resource: {} }, /another issuer/],
  ["the resource", { server: {}, resource: { resource: "https://evil.example/mcp" } }, /another server/],
  [
    "registration",
    { server: { registration_endpoint: undefined }, resource: {} },
    /does not support client registration/,
  ],
])("a server whose metadata fails on %s starts no sign-in, and the error says why", async (_, metadata, message) => {
  server.metadata = metadata;
  await expect(begin("Refused")).rejects.toMatchObject({
    code: "CONNECTION_TEST_FAILED",
    message: expect.stringMatching(message),
  });
});
