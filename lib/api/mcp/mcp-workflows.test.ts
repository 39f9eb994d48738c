import { afterAll, describe, expect, test } from "vitest";
import { createConnectionOperation } from "#lib/api/operations/connections/connections";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callTool } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { EMPTY_DEFINITION } from "#lib/contract/workflow/graph";
import { EXAMPLE_DEFINITION } from "#lib/core/steps/describe-nodes";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { env } from "#lib/platform/config/env";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

const server = await startMcpServer(OPERATIONS);
const workspace = await addWorkspace();
const key = (await addKey(workspace)).raw_key;
const stranger = (await addKey(await addWorkspace())).raw_key;
afterAll(() => server.close());

const call = (name: string, args: object, rawKey = key) => callTool(server.url, rawKey, name, args);
const body = async (name: string, args: object, rawKey = key) => (await call(name, args, rawKey)).body;
const create = (definition: unknown = EXAMPLE_DEFINITION) => body("create_workflow", { name: "Price", definition });
async function publish(slug = `price-${uuidv7().slice(-12)}`) {
  const { workflow_id } = await create();
  return { workflow_id, slug, deployed: await body("deploy_workflow", { workflow_id, slug }) };
}

describe("create_workflow", () => {
  test("returns the draft and what prevents publishing, node by node", async () => {
    const draft = await create({ ...EXAMPLE_DEFINITION, edges: EXAMPLE_DEFINITION.edges.slice(0, 2) });
    expect(draft).toMatchObject({ type: "callable", draft_revision: 1, deployed_version: null, shown: "draft" });
    expect(draft.problems.length).toBeGreaterThan(0);
    for (const problem of draft.problems) {
      expect(problem).toMatchObject({
        code: expect.any(String),
        message: expect.any(String),
        node_id: expect.any(String),
      });
    }
    expect((await create()).problems).toEqual([]);
  });

  test("accepts a definition that arrives as JSON text, and one without positions", async () => {
    const nodes = EXAMPLE_DEFINITION.nodes.map(({ position: _, ...node }) => node);
    const draft = await create(JSON.stringify({ ...EXAMPLE_DEFINITION, nodes }));
    expect(draft.problems).toEqual([]);
    const places = draft.definition.nodes.map(({ position }: { position: object }) => JSON.stringify(position));
    expect(new Set(places).size).toBe(nodes.length);
  });

  test("names the position of an error in an invalid definition", async () => {
    const answer = await create({ nodes: [{ id: "a b", type: "teleport" }], edges: [{ id: "1" }] });
    expect(answer).toMatchObject({ code: "BAD_REQUEST" });
    expect(answer.details.map(({ field }: { field: string }) => field)).toEqual([
      "definition.nodes.0.id",
      "definition.nodes.0.type",
      "definition.edges.0.source",
      "definition.edges.0.target",
    ]);
  });
});

describe("update_workflow", () => {
  test("builds a graph from nothing by operations, in one revision", async () => {
    const { workflow_id } = await create(EMPTY_DEFINITION);
    const operations = [
      ...EXAMPLE_DEFINITION.nodes.map((node) => ({ op: "add_node", node })),
      ...EXAMPLE_DEFINITION.edges.map(({ id: _, ...edge }) => ({ op: "add_edge", ...edge })),
    ];
    const draft = await body("update_workflow", { workflow_id, operations, parts: ["definition"] });
    expect(draft).toMatchObject({ type: "callable", draft_revision: 2, problems: [] });
    expect(draft.definition.nodes).toEqual(EXAMPLE_DEFINITION.nodes);
  });

  test("changes nothing if one operation is invalid, and names it", async () => {
    const { workflow_id } = await create();
    const operations = [
      { op: "remove_node", node_id: "price" },
      { op: "update_node", node_id: "price", data: {} },
    ];
    const answer = await body("update_workflow", { workflow_id, name: "Other", operations });
    expect(answer).toMatchObject({
      code: "BAD_REQUEST",
      details: [{ field: "operations.1.node_id", pointer: "/operations/1/node_id", message: /no node "price"/ }].map(
        (detail) => ({ ...detail, message: expect.stringMatching(detail.message) }),
      ),
    });
    const unchanged = await body("get_workflow", { workflow_id });
    expect(unchanged).toMatchObject({ name: "Price", draft_revision: 1, definition: EXAMPLE_DEFINITION });
  });

  test.each([
    ["an unknown op", [{ op: "replace" }], "operations.0.op"],
    ["a misspelled field", [{ op: "remove_edge", from: "a", source: "a", target: "b" }], "operations.0.from"],
    ["an empty list", [], "operations"],
  ])("refuses %s and names its position", async (_, operations, field) => {
    const { workflow_id } = await create();
    const answer = await body("update_workflow", { workflow_id, operations });
    expect(answer).toMatchObject({ code: "BAD_REQUEST", details: [{ field }] });
  });

  test("refuses a definition together with operations, because one of them would be lost", async () => {
    const { workflow_id } = await create();
    const operations = [{ op: "remove_node", node_id: "full" }];
    const answer = await body("update_workflow", { workflow_id, operations, definition: EMPTY_DEFINITION });
    expect(answer).toMatchObject({ code: "BAD_REQUEST", error: expect.stringContaining("not both") });
  });

  test("refuses a stale revision and returns the current one; without a revision, two changes both apply", async () => {
    const { workflow_id } = await create();
    const rename = (new_id: string, node_id: string) => ({ operations: [{ op: "rename_node", node_id, new_id }] });
    const both = await Promise.all([
      body("update_workflow", { workflow_id, ...rename("cheap", "reduced") }),
      body("update_workflow", { workflow_id, ...rename("dear", "full") }),
    ]);
    expect(both.map((draft) => draft.draft_revision).sort()).toEqual([2, 3]);
    const { definition } = await body("get_workflow", { workflow_id });
    expect(definition.nodes.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(["cheap", "dear"]));
    const stale = await body("update_workflow", { workflow_id, expected_revision: 1, ...rename("x", "dear") });
    expect(stale).toMatchObject({ code: "REVISION_CONFLICT", details: { current_revision: 3 } });
  });
});

describe("get_workflow and open_workflow", () => {
  test("return the draft, the deployed version or a given version", async () => {
    const { workflow_id } = await publish();
    await body("update_workflow", { workflow_id, operations: [{ op: "remove_node", node_id: "price" }] });
    for (const [version, shown, count] of [
      ["draft", "draft", 4],
      ["deployed", 1, 5],
      [1, 1, 5],
    ]) {
      const workflow = await body("get_workflow", { workflow_id, version });
      expect({ version, shown: workflow.shown, count: workflow.definition.nodes.length }).toEqual({
        version,
        shown,
        count,
      });
    }
    expect(await body("get_workflow", { workflow_id, version: 9 })).toMatchObject({ code: "NOT_FOUND" });
  });

  test("return a link to the canvas for a person", async () => {
    const { workflow_id } = await create();
    const answer = await body("open_workflow", { workflow_id });
    expect(answer).toEqual({ url: `${env().PUBLIC_BASE_URL}/workflows/${workflow_id}`, draft_revision: 1 });
  });
});

describe("create_workflow and update_workflow with deploy", () => {
  test("return the workflow as it is after publishing, as get_workflow does", async () => {
    const created = await body("create_workflow", {
      name: "At once",
      definition: EXAMPLE_DEFINITION,
      deploy: { slug: "at-once" },
    });
    const { deployed, ...workflow } = created;
    expect(deployed).toEqual({ version: 1, slug: "at-once" });
    expect(workflow).toEqual(await body("get_workflow", { workflow_id: workflow.workflow_id }));
    expect(workflow).toMatchObject({
      deployed_version: 1,
      has_unpublished_changes: false,
      action: { slug: "at-once", status: "active" },
      versions: [{ version: 1, status: "deployed" }],
    });
    const { workflow_id } = workflow;
    const { deployed: again, ...updated } = await body("update_workflow", { workflow_id, name: "Later", deploy: {} });
    expect(again).toEqual({ version: 2, slug: "at-once" });
    expect(updated).toEqual(await body("get_workflow", { workflow_id }));
  });
});

describe("deploy_workflow", () => {
  test("publishes a callable workflow under its slug", async () => {
    const { workflow_id, slug, deployed } = await publish();
    expect(deployed).toMatchObject({ workflow_id, version: 1, status: "deployed", breaking_changes: [] });
    expect(deployed.action).toEqual({ slug, status: "active", approval_policy: "never", release_version: 1 });
    expect(await body("get_action", { slug })).toMatchObject({ workflow_id, inputSchema: { required: ["amount"] } });
  });

  test("refuses a breaking change and names the affected keys, unless allow_breaking is true", async () => {
    const { workflow_id, slug } = await publish();
    await body("run_action", { slug, input: { amount: 3 } });
    const properties = [{ name: "amount", type: "string", required: true }];
    const operations = [{ op: "update_node", node_id: "start", data: { properties } }];
    await body("update_workflow", { workflow_id, operations });
    const refused = await body("deploy_workflow", { workflow_id });
    const prefix = key.slice(0, 8);
    expect(refused).toMatchObject({
      error: expect.stringContaining(`Test key (${prefix}) in 1 of 1 calls`),
      code: "BREAKING_SCHEMA_CHANGE",
      details: [{ field: "amount", breaking: true, callers: [{ name: "Test key", prefix, calls: 1, affected: 1 }] }],
    });
    const forced = await body("deploy_workflow", { workflow_id, allow_breaking: true, approval_policy: "always" });
    expect(forced).toMatchObject({
      version: 2,
      breaking_changes: [{ field: "amount" }],
      action: { approval_policy: "always" },
    });
  });

  test.each([
    ["the first publish without a slug", {}, { code: "BAD_REQUEST", details: [{ field: "slug" }] }],
    ["an invalid slug", { slug: "No Slug" }, { code: "BAD_REQUEST", details: [{ field: "slug" }] }],
    ["a stale revision", { slug: "late", expected_revision: 7 }, { code: "REVISION_CONFLICT" }],
  ])("refuses %s", async (_, args, answer) => {
    const { workflow_id } = await create();
    expect(await body("deploy_workflow", { workflow_id, ...args })).toMatchObject(answer);
  });

  test("refuses a workflow that its trigger starts", async () => {
    const trigger = { id: "trigger", type: "trigger", data: { kind: "webhook" } };
    const { workflow_id, type } = await create({ nodes: [trigger], edges: [] });
    expect(type).toBe("event_driven");
    expect(await body("deploy_workflow", { workflow_id, slug: "hook" })).toMatchObject({
      code: "WORKFLOW_NOT_CALLABLE",
    });
  });
});

test("delete_workflow fails while callers depend on the workflow, unless archive_action is true", async () => {
  const { workflow_id, slug } = await publish();
  expect(await body("delete_workflow", { workflow_id })).toMatchObject({ code: "WORKFLOW_IN_USE", details: { slug } });
  const gone = await body("delete_workflow", { workflow_id, archive_action: true });
  expect(gone).toEqual({ workflow_id, deleted: true });
  expect(await body("get_workflow", { workflow_id })).toMatchObject({ code: "NOT_FOUND" });
  expect(await body("run_action", { slug, input: { amount: 1 } })).toMatchObject({ code: "ACTION_UNAVAILABLE" });
});

test("a workflow of another workspace is not found by any tool", async () => {
  const { workflow_id } = await create();
  const operations = [{ op: "remove_node", node_id: "price" }];
  const tools = {
    get_workflow: {},
    open_workflow: {},
    update_workflow: { operations },
    deploy_workflow: { slug: "x" },
    delete_workflow: {},
  };
  for (const [name, args] of Object.entries(tools)) {
    expect({ name, ...(await body(name, { workflow_id, ...args }, stranger)) }).toMatchObject({
      name,
      code: "NOT_FOUND",
    });
  }
  const { data } = await body("list_workflows", {}, stranger);
  expect(data).toEqual([]);
});

test("each tool needs its scope", async () => {
  const { raw_key: bare } = await addKey(workspace, { scopes: ["actions:read"] });
  const needed = {
    list_workflows: "workflows:read",
    get_workflow: "workflows:read",
    open_workflow: "workflows:read",
    create_workflow: "workflows:write",
    update_workflow: "workflows:write",
    delete_workflow: "workflows:write",
    deploy_workflow: "workflows:write",
    list_connectors: "connectors:read",
    get_connector_operations: "connectors:read",
    get_operation_schema: "connectors:read",
  };
  for (const [name, scope] of Object.entries(needed)) {
    const answer = { name, ...(await body(name, {}, bare)) };
    expect(answer).toMatchObject({ name, code: "FORBIDDEN", details: { required_scope: scope } });
  }
});

describe("the connector tools", () => {
  test("lead from the name of a service to the data of a node", async () => {
    const { data } = await body("list_connectors", { q: "http" });
    expect(data[0]).toMatchObject({ connector: "http", kind: "builtin", operations: ["request"] });
    expect((await body("list_connectors", { kind: "custom" })).data).toEqual([]);
    const operations = await body("get_connector_operations", { connector: "http" });
    expect(operations.data).toMatchObject([{ operation: "request", kind: "action" }]);
    expect((await body("get_connector_operations", { connector: "http", kind: "trigger" })).data).toEqual([]);
    const schema = await body("get_operation_schema", { connector: "http", operation: "request" });
    expect(schema).toMatchObject({
      params_schema: {
        required: ["url"],
        properties: { method: { enum: expect.arrayContaining(["PUT"]) } },
      },
      output_schema: { properties: { status: { type: "integer" } } },
      example: { connector: "http", operation: "request", params: { method: "POST" } },
    });
  });

  test("list the connections that a node of this workspace can use, without secrets", async () => {
    const fields = { token: "tok-secret-canary", hosts: "api.example.com" };
    const connection = { connector: "http", auth: "bearer", name: "Orders", fields, accept_failure: true };
    const person = { kind: "user", role: "editor", name: "Ada", ...workspace } as const;
    await invoke(createConnectionOperation, person, connection, requestContext());
    const answer = await body("list_connectors", { q: "http" });
    const expected = { connection_id: expect.any(String), name: "Orders", status: expect.any(String) };
    expect(answer.data[0].connections).toEqual([expected]);
    expect(JSON.stringify(answer)).not.toContain("canary");
    expect((await body("list_connectors", { q: "http" }, stranger)).data[0].connections).toEqual([]);
  });

  test("report an unknown connector or operation", async () => {
    expect(await body("get_connector_operations", { connector: "fax" })).toMatchObject({ code: "NOT_FOUND" });
    const operation = { connector: "http", operation: "telepathy" };
    expect(await body("get_operation_schema", operation)).toMatchObject({ code: "NOT_FOUND" });
    expect(await body("get_operation_schema", { ...operation, connector: "fax" })).toMatchObject({ code: "NOT_FOUND" });
  });
});
