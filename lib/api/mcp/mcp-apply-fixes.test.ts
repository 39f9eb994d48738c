import { afterAll, expect, test } from "vitest";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callTool, newKey, newWorkspace } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const server = await startMcpServer(OPERATIONS);
const key = await newKey(await newWorkspace("fixes"), "workflows:read", "workflows:write");
afterAll(() => server.close());

const call = async (name: string, args: object) => (await callTool(server.url, key, name, args)).body;
const codes = (problems: { code: string; field?: string }[]) => problems.map(({ code, field }) => `${code} ${field}`);

/** Calls an action by almost its name, with almost the name of its input, and reads a field that only a person can mean. */
const WRONG = definition(
  [
    completeNode("start", "action_input", { properties: [{ name: "name", type: "string", required: true }] }),
    completeNode("hello", "sub_workflow", {
      action_slug: "gret",
      input: { who: "{{action_input.nmae}}" },
      shade: "red",
    }),
    completeNode("end", "return_output", {
      properties: [{ name: "text", type: "string", value: "{{hello.nothing_like_it}}" }],
    }),
  ],
  ["start > hello", "hello > end"],
);

test("apply_fixes applies every certain fix in one revision and answers with what it applied and what remains", async () => {
  const draft = await call("create_workflow", { name: "Wrong", definition: WRONG });
  const fixed = await call("update_workflow", {
    workflow_id: draft.workflow_id,
    apply_fixes: true,
    parts: ["definition"],
  });
  expect(codes(fixed.applied_fixes).toSorted()).toEqual([
    "UNKNOWN_ACTION action_slug",
    "UNKNOWN_INPUT_FIELD input.who",
    "UNKNOWN_KEY shade",
  ]);
  expect(codes(fixed.problems)).toEqual(["UNKNOWN_FIELD properties.0.value"]);
  expect(fixed.draft_revision).toBe(draft.draft_revision + 1);
  expect(fixed.definition.nodes[1].data).toEqual({ action_slug: "greet", input: { who: "{{action_input.name}}" } });
});

test("apply_fixes mends what the operations of the same call leave, and without it nothing is fixed", async () => {
  const draft = await call("create_workflow", { name: "Wrong", definition: WRONG });
  const properties = [{ name: "text", type: "string", value: "{{helo.text}}" }];
  const operations = [{ op: "update_node", node_id: "end", data: { properties } }];
  const changed = await call("update_workflow", { workflow_id: draft.workflow_id, operations });
  expect(changed).not.toHaveProperty("applied_fixes");
  expect(changed.problems.length).toBeGreaterThan(3);
  const fixed = await call("update_workflow", { workflow_id: draft.workflow_id, operations, apply_fixes: true });
  expect(fixed.problems).toEqual([]);
  expect(fixed.applied_fixes).toHaveLength(4);
});
