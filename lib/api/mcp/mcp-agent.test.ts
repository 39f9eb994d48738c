import { afterAll, expect, test } from "vitest";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callTool } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { startTestWorker } from "#worker/supervise/worker-process.fixture";

await openTestDatabase();

const server = await startMcpServer(OPERATIONS);
const key = (await addKey(await addWorkspace())).raw_key;
const worker = await startTestWorker();
afterAll(async () => {
  worker.child.kill("SIGKILL");
  await worker.exited;
  await server.close();
});

async function call(name: string, args: object) {
  const { body, isError } = await callTool(server.url, key, name, args);
  expect({ name, isError, body }).toMatchObject({ isError: false });
  return body;
}
async function refused(name: string, args: object) {
  const { body, isError } = await callTool(server.url, key, name, args);
  expect({ name, isError, body }).toMatchObject({ isError: true });
  return body;
}
async function runToEnd(slug: string, input: object) {
  const { run_id } = await call("run_action", { slug, input });
  return call("wait_for_run", { run_id });
}

/** Written as a model writes it: no positions, no edge ids, and one expression that names an unknown node. */
const FIRST_TRY = {
  nodes: [
    { id: "start", type: "action_input", data: { properties: [{ name: "amount", type: "number", required: true }] } },
    {
      id: "vat",
      type: "code",
      data: { source: "return { total: input.order.amount * 1.2 };", input: { amount: "{{action_input.amount}}" } },
    },
    {
      id: "answer",
      type: "return_output",
      data: { properties: [{ name: "total", type: "number", value: "{{tax.total}}" }] },
    },
  ],
  edges: [
    { id: "1", source: "start", target: "vat" },
    { id: "2", source: "vat", target: "answer" },
  ],
};

test("an agent builds, publishes and calls a workflow, reads why it failed, fixes it and calls it again, using only MCP", async () => {
  const draft = await call("create_workflow", { name: "VAT", definition: FIRST_TRY });
  const workflow_id = draft.workflow_id;
  const problem = { code: "UNKNOWN_REFERENCE", node_id: "answer", field: "properties.0.value" };
  // A warning, which the agent overlooks.
  const overlooked = { code: "UNPASSED_INPUT", severity: "warning", node_id: "vat", line: 1 };
  expect(draft.problems).toMatchObject([problem, overlooked]);

  const publish = { workflow_id, slug: "add-vat" };
  const unfinished = await refused("deploy_workflow", publish);
  expect(unfinished).toMatchObject({ code: "PUBLISH_VALIDATION_FAILED", details: [problem] });

  const properties = [{ name: "total", type: "number", value: "{{vat.total}}" }];
  const mended = await call("update_workflow", {
    workflow_id,
    expected_revision: draft.draft_revision,
    operations: [{ op: "update_node", node_id: "answer", data: { properties } }],
  });
  expect(mended).toMatchObject({ problems: [overlooked], draft_revision: draft.draft_revision + 1 });
  expect(await call("deploy_workflow", publish)).toMatchObject({ version: 1, action: { slug: "add-vat" } });

  const { run_id } = await call("run_action", { slug: "add-vat", input: { amount: 100 } });
  const failed = await call("wait_for_run", { run_id, steps: "failed" });
  expect(failed).toMatchObject({
    status: "failed",
    error: { step_id: "vat", message: expect.stringMatching(/amount/) },
  });
  expect(failed.steps).toMatchObject([{ step_id: "vat", status: "failed", input: { amount: 100 } }]);

  const source = "return { total: input.amount * 1.2 };";
  const repaired = await call("update_workflow", {
    workflow_id,
    operations: [
      { op: "update_node", node_id: "vat", data: { source } },
      { op: "rename_node", node_id: "vat", new_id: "add_vat" },
    ],
  });
  expect(repaired.problems).toEqual([]);
  expect(await call("deploy_workflow", { workflow_id })).toMatchObject({ version: 2, breaking_changes: [] });

  const succeeded = await runToEnd("add-vat", { amount: 100 });
  expect(succeeded).toMatchObject({ status: "succeeded", output: { total: 120 }, action_release_version: 2 });

  const replay = await call("replay_run", { run_id: succeeded.run_id, mode: "from_start", input: { amount: 50 } });
  expect(await call("wait_for_run", { run_id: replay.run_id })).toMatchObject({
    status: "succeeded",
    source: "replay",
    resume_from_run_id: succeeded.run_id,
    output: { total: 60 },
  });
});
