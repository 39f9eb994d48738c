import { afterAll, expect, test } from "vitest";
import { toApiError } from "#lib/api/admission/error-response";
import { sessionCookie } from "#lib/api/auth/session.fixture";
import type { Caller } from "#lib/api/operations/define/caller";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callRest } from "#lib/api/rest/rest.fixture";
import { callTool, newKey, newWorkspace, sendRpc } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { webRoute } from "#lib/api/web/web-route";
import { post } from "#lib/api/webhooks/webhook.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { exhaustPool } from "#lib/platform/db/test-pool";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

const OVERLOADED = { code: "SERVICE_UNAVAILABLE", reason: "database_overloaded" };

interface HttpAnswer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** @param retryAfter null on the runtime surface, where only a 429 has the header (contract, Limits) */
function expectOverloaded({ status, headers, body }: HttpAnswer, retryAfter: string | null): void {
  expect(body).toMatchObject(OVERLOADED);
  expect({ status, retryAfter: headers.get("retry-after") }).toEqual({ status: 503, retryAfter });
}

const server = await startMcpServer(OPERATIONS);
const ann = await newWorkspace("ann");
const key = await newKey(ann);
const cookie = await sessionCookie(ann.userId);
const release = await exhaustPool();
afterAll(async () => {
  release();
  await server.close();
});

test.each([
  ["POST", "/actions/greet/run", { input: {} }],
  ["GET", `/runs/${uuidv7()}`, undefined],
] as const)("REST answers %s %s with a 503 that has a code and a reason", async (method, path, body) => {
  expectOverloaded(await callRest(method, path, { key, body }), null);
});

test("MCP answers a tool call with an error that has a code and a reason", async () => {
  const { isError, body, hint } = await callTool(server.url, key, "list_actions", {});
  expect({ isError, body }).toMatchObject({ isError: true, body: OVERLOADED });
  expect(hint).toMatch(/2 seconds/);
});

test("MCP answers any other request with a 503 that has a code and a reason", async () => {
  const { status, headers, body } = await sendRpc(server.url, key, "tools/list");
  expectOverloaded({ status, headers, body: body.error.data }, null);
});

test("the web application's operations answer with a 503 that has a code and a reason", async () => {
  const headers = { origin: "http://localhost:3000", "content-type": "application/json", cookie };
  const request = new Request("http://localhost:3000/api/web/get_session", { method: "POST", body: "{}", headers });
  const response = await webRoute(request, { params: Promise.resolve({ operation: "get_session" }) });
  expectOverloaded({ status: response.status, headers: response.headers, body: await response.json() }, "2");
});

test("a webhook is answered with a 503 that has a code and a reason", async () => {
  expectOverloaded(await post(uuidv7(), "{}"), "2");
});

test.each([
  ["reads with Prisma", "get_session", {}],
  ["reads with a statement", "list_workflows", {}],
  ["opens a transaction", "tag_workflows", { workflow_ids: [uuidv7()], add: ["a"] }],
  ["opens a transaction with Prisma", "update_workspace", { name: "Other" }],
] as const)("an operation that %s fails with a code and a reason", async (_, name, input) => {
  const operation = OPERATIONS.find((candidate) => candidate.name === name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  const caller: Caller = { ...ann, kind: "user", role: "owner", name: "Ann", plan: "business" };
  const error = await invoke(operation, caller, input, requestContext()).catch((thrown: unknown) => thrown);
  expect(toApiError(error, "r")).toMatchObject({ ...OVERLOADED, status: 503 });
});
