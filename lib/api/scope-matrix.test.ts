import { afterAll, describe, expect, test } from "vitest";
import type { Operation } from "#lib/api/operations/define/define-operation";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callRest } from "#lib/api/rest/rest.fixture";
import { callTool, newKey, newWorkspace } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { SCOPES, type Scope } from "#lib/contract/key/scopes";
import { openTestDatabase } from "#lib/platform/db/test-database";

// Rate limits would answer before the code under test does. Limits are read at the first request.
process.env.REQUESTS_PER_WINDOW = "0";

await openTestDatabase();

/** The endpoints and tools that each scope grants (contract, Endpoints). */
const GRANTS: Record<Scope, { endpoints: string[]; tools: string[] }> = {
  "actions:read": { endpoints: ["GET /actions", "GET /actions/:slug"], tools: ["list_actions", "get_action"] },
  "actions:run": {
    endpoints: ["POST /actions/:slug/run", "POST /actions/:slug/runs", "POST /runs/:run_id/cancel"],
    tools: ["run_action", "run_actions", "cancel_run"],
  },
  "runs:read": {
    endpoints: ["GET /runs", "GET /runs/:run_id"],
    tools: ["get_run_status", "list_runs", "wait_for_run"],
  },
  "approvals:decide": { endpoints: ["POST /runs/:run_id/approve"], tools: ["approve_run"] },
  "connectors:read": {
    endpoints: [],
    tools: ["list_connectors", "get_connector_operations", "get_operation_schema", "get_build_status"],
  },
  "connectors:write": { endpoints: [], tools: ["build_connector", "validate_connector"] },
  "workflows:read": { endpoints: [], tools: ["get_step_kinds", "list_workflows", "get_workflow", "open_workflow"] },
  "workflows:write": {
    endpoints: [],
    tools: ["create_workflow", "update_workflow", "delete_workflow", "deploy_workflow"],
  },
  "workflows:run": { endpoints: [], tools: [] },
};
/** They need several scopes, so a key with one cannot call them. */
const NEEDS_SEVERAL = ["replay_run", "test_workflow"];
/** Any key can call it. */
const NEEDS_NONE = ["whoami"];

const keys = new Map<Scope, string>();
const owner = await newWorkspace("scopes");
for (const scope of SCOPES) keys.set(scope, await newKey(owner, scope));
const server = await startMcpServer(OPERATIONS);
afterAll(() => server.close());

const keyWith = (scope: Scope) => keys.get(scope) ?? "";
const cells = SCOPES.flatMap((scope) => OPERATIONS.map((operation) => ({ scope, operation, name: operation.name })));

const endpointOf = ({ rest }: Operation) => `${rest?.method} ${rest?.path}`;
const refusal = (scope: Scope) => ({ code: "FORBIDDEN", details: { granted_scopes: [scope] } });

describe("a key with one scope", () => {
  test.each(cells.filter(({ operation }) => operation.rest))(
    "with $scope can call the endpoint of $name only if the scope grants it",
    async (cell) => {
      const { scope, operation } = cell;
      const isGranted = GRANTS[scope].endpoints.includes(endpointOf(operation));
      const path = operation.rest?.path.replace(":slug", "nowhere").replace(":run_id", "no-run") ?? "";
      const answer = await callRest(operation.rest?.method ?? "", path, { key: keyWith(scope) });
      if (isGranted) expect([200, 404]).toContain(answer.status);
      else expect(answer).toMatchObject({ status: 403, body: refusal(scope) });
    },
  );

  test.each(cells.filter(({ operation }) => operation.mcp))(
    "with $scope can call the tool $name only if the scope grants it",
    async ({ scope, name }) => {
      const { isError, body } = await callTool(server.url, keyWith(scope), name, {});
      if ([...GRANTS[scope].tools, ...NEEDS_NONE].includes(name)) expect(body.code).not.toBe("FORBIDDEN");
      else expect({ isError, body }).toMatchObject({ isError: true, body: refusal(scope) });
    },
  );
});

test("the tables list every endpoint and tool", () => {
  const granted = Object.values(GRANTS);
  const endpoints = OPERATIONS.filter(({ rest }) => rest).map(endpointOf);
  expect(endpoints.toSorted()).toEqual(granted.flatMap((row) => row.endpoints).toSorted());
  const tools = [...granted.flatMap((row) => row.tools), ...NEEDS_SEVERAL, ...NEEDS_NONE];
  expect(tools).toEqual(expect.arrayContaining(OPERATIONS.filter(({ mcp }) => mcp).map(({ name }) => name)));
});
