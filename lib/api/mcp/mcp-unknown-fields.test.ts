import { afterAll, expect, test } from "vitest";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callTool, newKey, newWorkspace, runOverRest, sendRpc } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import type { FieldError } from "#lib/contract/error/api-error";
import { EXAMPLE_DEFINITION } from "#lib/core/steps/describe-nodes";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const server = await startMcpServer(OPERATIONS);
const key = await newKey(
  await newWorkspace("unknown-fields"),
  "workflows:read",
  "workflows:write",
  "actions:read",
  "actions:run",
);
afterAll(() => server.close());

const call = (name: string, args: object) => callTool(server.url, key, name, args);
const named = ({ details = [] }: { details?: FieldError[] }) =>
  details.map(({ field, message }) => `${field} ${message}`);

const [first, ...nodes] = EXAMPLE_DEFINITION.nodes;
const [edge, ...edges] = EXAMPLE_DEFINITION.edges;

test.each([
  [
    "an edge with source_handle",
    { ...EXAMPLE_DEFINITION, edges: [{ ...edge, source_handle: "true" }, ...edges] },
    'definition.edges.0.source_handle is not a known field; did you mean "sourceHandle"?',
  ],
  [
    "a node with parent_id",
    { ...EXAMPLE_DEFINITION, nodes: [{ ...first, parent_id: "each" }, ...nodes] },
    'definition.nodes.0.parent_id is not a known field; did you mean "parentId"?',
  ],
  [
    "a definition with connections",
    { ...EXAMPLE_DEFINITION, connections: [] },
    'definition.connections is not a known field; the fields are "nodes" and "edges"',
  ],
])("create_workflow refuses %s, and update_workflow, too", async (_, definition, words) => {
  const { body, isError } = await call("create_workflow", { name: "Wrong", definition });
  expect([isError, body.code, named(body)]).toEqual([true, "BAD_REQUEST", [words]]);
  const { body: draft } = await call("create_workflow", { name: "Right", definition: EXAMPLE_DEFINITION });
  const updated = await call("update_workflow", { workflow_id: draft.workflow_id, definition });
  expect(named(updated.body)).toEqual([words]);
});

test("every operation of update_workflow refuses a field that it does not know", async () => {
  const { body } = await call("create_workflow", { name: "Right", definition: EXAMPLE_DEFINITION });
  const operations = [
    { op: "add_edge", source: edge?.source, target: edge?.target, source_handle: "true" },
    { op: "remove_node", nodeId: "x" },
  ];
  const answer = await call("update_workflow", { workflow_id: body.workflow_id, operations });
  expect(named(answer.body)).toEqual([
    'operations.0.source_handle is not a known field; did you mean "sourceHandle"?',
    'operations.1.nodeId is not a known field; did you mean "node_id"?',
    expect.stringContaining("operations.1.node_id"),
  ]);
});

test("a tool refuses an argument that it does not know before the required one that is missing because of it", async () => {
  const answer = await call("create_workflow", { nmae: "Wrong" });
  expect(named(answer.body)[0]).toBe('nmae is not a known field; did you mean "name"?');
  const { body } = await call("run_actions", { slug: "greet", items: [{ input: { who: "Ada" } }, { inputs: {} }] });
  expect(body.data.map((item: { run: unknown }) => item.run !== null)).toEqual([true, false]);
  expect(named(body.data[1].error)).toEqual(['inputs is not a known field; did you mean "input"?']);
});

test("the runtime API ignores a field that it does not know", async () => {
  expect((await runOverRest(key, "greet", { input: { who: "Ada" }, extra: 1 })).status).toBe(202);
});

test("a tool, an action and a node that do not exist are answered with the nearest names", async () => {
  const { body: unknownTool } = await sendRpc(server.url, key, "tools/call", { name: "create_workflows" });
  expect(unknownTool.error.message).toContain('did you mean "create_workflow"');
  expect((await call("run_action", { slug: "great", input: {} })).hint).toContain('did you mean "greet"?');
  const { body } = await call("create_workflow", { name: "Right", definition: EXAMPLE_DEFINITION });
  const operations = [{ op: "remove_node", node_id: `${first?.id}s` }];
  const answer = await call("update_workflow", { workflow_id: body.workflow_id, operations });
  expect(answer.body.error).toContain(`did you mean "${first?.id}"`);
});
