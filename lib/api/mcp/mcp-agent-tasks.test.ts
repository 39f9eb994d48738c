import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BUILD_13_STEPS, LOOPED, SHIPPING, vatStep, wrongly } from "#lib/api/mcp/agent-definitions.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callTool } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { SCOPES } from "#lib/contract/key/scopes";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { startTestWorker } from "#worker/supervise/worker-process.fixture";

// Limits would answer before the code under test does. They are read at the first request.
process.env.REQUESTS_PER_WINDOW = "0";
process.env.RUNS_PER_USER_PER_HOUR = "0";

await openTestDatabase();

const listener = createServer((request, response) => {
  const isBroken = request.url?.includes("broken") ?? false;
  response.writeHead(isBroken ? 500 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify({ path: request.url }));
});

const server = await startMcpServer(OPERATIONS, "?answers=short");
const key = (await addKey(await addWorkspace(), { scopes: [...SCOPES] })).raw_key;
const worker = await startTestWorker();
await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
const service = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
afterAll(async () => {
  worker.child.kill("SIGKILL");
  await worker.exited;
  listener.close();
  await server.close();
});

/** The tasks as they are done: their calls, and the tokens that a model writes and reads for them. */
const DONE: { task: string; calls: number; tokens: number }[] = [];

/** Four characters are about one token of English and JSON. The clients' own tokenizers differ by a tenth. */
const tokensOf = (text: string) => Math.ceil(text.length / 4);

/** Counts the calls of one task. */
function startTask(task: string) {
  const done = { task, calls: 0, tokens: 0 };
  DONE.push(done);
  const call = async (name: string, args: object) => {
    const { body, hint, isError } = await callTool(server.url, key, name, args);
    done.calls += 1;
    done.tokens += tokensOf(JSON.stringify(args)) + tokensOf(JSON.stringify(body) + (hint ?? ""));
    expect({ name, isError, body }).toMatchObject({ isError: false });
    return body;
  };
  return { call, done };
}

const wait = { wait_seconds: 25 };
const code = (source: string) => ({ op: "update_node", node_id: "price", data: { source } });

describe("an agent uses an action with one call", () => {
  beforeAll(async () => {
    const { call } = startTask("(prepare) publish the actions to use");
    await call("create_workflow", { name: "Shipping", definition: SHIPPING, deploy: { slug: "ship" } });
    await call("create_workflow", {
      name: "Held",
      definition: SHIPPING,
      deploy: { slug: "held", approval_policy: "always" },
    });
    await call("create_workflow", { name: "Lines", definition: LOOPED, deploy: { slug: "lines" } });
  });

  test("1. it calls an existing action and reads the output, with less than half of 1,300 tokens", async () => {
    const { call, done } = startTask("use: call an action");
    expect(await call("run_action", { slug: "ship", input: { amount: 100 }, ...wait })).toMatchObject({
      status: "succeeded",
      output: { total: 120 },
    });
    expect(done.calls).toBe(1);
    expect(done.tokens).toBeLessThan(650);
  });

  test("2. it finds an action and calls it, with one call for each", async () => {
    const { call, done } = startTask("use: find an action and call it");
    const { data } = await call("list_actions", { q: "ship" });
    expect(data).toMatchObject([{ slug: "ship", inputSchema: { required: ["amount"] } }]);
    expect(await call("run_action", { slug: data[0].slug, input: { amount: 5 }, ...wait })).toMatchObject({
      output: { total: 6 },
    });
    expect(done.calls).toBe(2);
  });

  test("3. it checks an input without running anything", async () => {
    const { call, done } = startTask("use: dry run");
    const answer = await call("run_action", { slug: "ship", input: { amount: 1 }, dry_run: true, ...wait });
    expect(answer).toMatchObject({ status: "succeeded", dry_run: true });
    expect(done.calls).toBe(1);
  });

  test("4. it starts a hundred runs and reads less than a tenth of 28,000 tokens more than their ids", async () => {
    const { call, done } = startTask("use: start 100 runs");
    const items = Array.from({ length: 100 }, (_, amount) => ({ input: { amount } }));
    expect(await call("run_actions", { slug: "ship", items })).toMatchObject({ refused: 0 });
    expect(done.calls).toBe(1);
    expect(done.tokens).toBeLessThan(4_000);
  });

  test("5. it reads a run with 100 iterations, with less than half of 29,000 tokens", async () => {
    const { call, done } = startTask("use: read a run with 100 iterations");
    const lines = Array.from({ length: 100 }, (_, price) => ({ price, text: "x".repeat(200) }));
    const run = await call("run_action", { slug: "lines", input: { lines }, ...wait });
    expect(run).toMatchObject({
      status: "succeeded",
      output: { count: 100 },
      steps_page: { loops: [{ step_id: "each", iterations: 100, steps: 100, failed: 0 }] },
    });
    const [page] = [await call("get_run_status", { run_id: run.run_id, step_id: "price" })];
    expect(page.steps.length).toBeGreaterThan(10);
    expect(done.tokens).toBeLessThan(29_000 / 2 + tokensOf(JSON.stringify(lines)));
  });

  test("6. it starts a run that a person approves, and reads who must act", async () => {
    const { call, done } = startTask("use: start a run that needs approval");
    const run = await call("run_action", { slug: "held", input: { amount: 1 }, ...wait });
    expect(run).toMatchObject({ status: "waiting_for_approval", next: expect.stringContaining("/approvals") });
    expect(done.calls).toBe(1);
  });
});

describe("an agent builds a workflow with two calls", () => {
  test("7. it builds and publishes 13 steps and calls them, with less than half of 5,300 tokens", async () => {
    const { call, done } = startTask("build: 13 steps");
    const built = await call("create_workflow", {
      name: "Thirteen",
      definition: BUILD_13_STEPS,
      deploy: { slug: "thirteen" },
    });
    expect(built).toMatchObject({ problems: [], deployed: { version: 1, slug: "thirteen" } });
    const run = await call("run_action", { slug: "thirteen", input: { amount: 1 }, ...wait });
    expect(run).toMatchObject({ status: "succeeded", output: { total: 12 } });
    expect(done.calls).toBe(2);
    expect(done.tokens).toBeLessThan(2_650);
  });

  test("8. it builds a draft and tries it without publishing", async () => {
    const { call, done } = startTask("build: draft and test");
    const { workflow_id } = await call("create_workflow", { name: "Draft", definition: SHIPPING });
    const tested = await call("test_workflow", { workflow_id, input: { amount: 10 } });
    expect(tested).toMatchObject({ status: "succeeded", source: "test", output: { total: 12 } });
    expect(done.calls).toBe(2);
  });

  test("9. it tries a draft up to a step, with the output of another step pinned", async () => {
    const { call, done } = startTask("try: one step with a pin");
    const calls = { id: "fetch", type: "connector", data: { connector: "http", operation: "request", params: {} } };
    const params = { method: "GET", url: `${service}/broken` };
    const definition = {
      nodes: [
        SHIPPING.nodes[0],
        { ...calls, data: { ...calls.data, params } },
        vatStep("price", "{{fetch.body.amount}}"),
        SHIPPING.nodes[2],
      ],
      edges: [
        { id: "1", source: "start", target: "fetch" },
        { id: "2", source: "fetch", target: "price" },
        { id: "3", source: "price", target: "answer" },
      ],
    };
    const { workflow_id } = await call("create_workflow", { name: "Pinned", definition });
    const pins = { fetch: { status: 200, headers: {}, body: { amount: 10 } } };
    const tested = await call("test_workflow", { workflow_id, input: { amount: 1 }, pins });
    expect(tested).toMatchObject({ status: "succeeded", output: { total: 12 } });
    expect(done.calls).toBe(2);
  });

  test("10. a refused publish saves the draft and says what to mend; mending publishes it", async () => {
    const { call, done } = startTask("build: mend what publishing refused");
    const refused = await call("create_workflow", {
      name: "Mended",
      definition: wrongly(SHIPPING),
      deploy: { slug: "mended" },
    });
    expect(refused).toMatchObject({
      problems: [{ severity: "error", node_id: "answer", field: "properties.0.value" }],
      help: expect.stringContaining("get_step_kinds"),
      deploy_refused: { code: "PUBLISH_VALIDATION_FAILED" },
    });
    const properties = [{ name: "total", type: "number", value: "{{price.total}}" }];
    const mended = await call("update_workflow", {
      workflow_id: refused.workflow_id,
      operations: [{ op: "update_node", node_id: "answer", data: { properties } }],
      deploy: { slug: "mended" },
    });
    expect(mended).toMatchObject({ problems: [], deployed: { version: 1, slug: "mended" } });
    expect(done.calls).toBe(2);
  });

  test("11. it learns the rules of a definition with one call", async () => {
    const { call, done } = startTask("build: read the rules, once");
    const { guide } = await call("get_step_kinds", {});
    expect(guide).toContain("sourceHandle");
    expect(done.tokens).toBeLessThan(3_000);
  });
});

describe("an agent repairs a workflow with two calls", () => {
  const publish = async (slug: string, source: string) => {
    const { call } = startTask(`(prepare) publish ${slug}`);
    const definition = {
      ...SHIPPING,
      nodes: SHIPPING.nodes.map((one) => (one.id === "price" ? withSource(one, source) : one)),
    };
    return (await call("create_workflow", { name: slug, definition, deploy: { slug } })).workflow_id;
  };
  const withSource = (one: (typeof SHIPPING.nodes)[number], source: string) => ({
    ...one,
    data: { ...one.data, source },
  });

  test("12. it reads which step failed, and why, in the answer of the call", async () => {
    const { call, done } = startTask("repair: read the failure");
    await publish("fails", "throw new Error('no price');");
    const failed = await call("run_action", { slug: "fails", input: { amount: 1 }, ...wait });
    expect(failed).toMatchObject({
      status: "failed",
      error: { step_id: "price", message: expect.stringContaining("no price") },
      steps: [{ step_id: "price", status: "failed", input: { amount: 1 } }],
    });
    expect(done.calls).toBe(1);
    expect(done.tokens).toBeLessThan(400);
  });

  test("13. it mends and publishes with one call, and runs again with the next", async () => {
    const workflow_id = await publish("mend", "throw new Error('no price');");
    const { call, done } = startTask("repair: mend, publish, run");
    const operations = [code("return { total: input.amount * 2 };")];
    expect(await call("update_workflow", { workflow_id, operations, deploy: {} })).toMatchObject({
      problems: [],
      deployed: { version: 2 },
    });
    expect(await call("run_action", { slug: "mend", input: { amount: 4 }, ...wait })).toMatchObject({
      output: { total: 8 },
    });
    expect(done.calls).toBe(2);
    expect(done.tokens).toBeLessThan(500);
  });

  test("14. it replays a run with another input and reads the outcome in the same call", async () => {
    const run = await startTask("(prepare) run").call("run_action", { slug: "ship", input: { amount: 1 }, ...wait });
    const { call, done } = startTask("replay: with another input");
    const asked = { run_id: run.run_id, mode: "from_start", input: { amount: 20 }, ...wait };
    expect(await call("replay_run", asked)).toMatchObject({
      status: "succeeded",
      source: "replay",
      output: { total: 24 },
    });
    expect(done.calls).toBe(1);
  });

  test("15. it finds the failed runs of an action by their error", async () => {
    await publish("lost", "throw new Error('parcel unknown');");
    const prepare = startTask("(prepare) fail");
    await prepare.call("run_action", { slug: "lost", input: { amount: 1 }, ...wait });
    const { call, done } = startTask("repair: find failed runs");
    const { data } = await call("list_runs", { action_slug: "lost", q: "parcel", limit: 5 });
    expect(data).toMatchObject([{ status: "failed", error: { step_id: "price" } }]);
    expect(JSON.stringify(data)).not.toContain("null");
    expect(done.tokens).toBeLessThan(300);
  });
});

test("the tasks and their tokens are printed", () => {
  const rows = DONE.filter(({ task }) => !task.startsWith("("));
  process.stdout.write(
    `${rows.map(({ task, calls, tokens }) => `${String(tokens).padStart(6)} tokens  ${calls} calls  ${task}`).join("\n")}\n`,
  );
  expect(rows).toHaveLength(15);
});
