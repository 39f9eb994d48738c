import { afterAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callTool, sendRpc } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { LIMITS } from "#lib/contract/limits";
import { describeNode } from "#lib/core/steps/describe-nodes";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const server = await startMcpServer(OPERATIONS);
const workspace = await addWorkspace();
await db().query("update workspaces set plan = 'business'");
const key = (await addKey(workspace)).raw_key;
const stranger = (await addKey(await addWorkspace())).raw_key;
await addAction(workspace, { slug: "greet", name: "Greeting", description: "Says hello." });
await addAction(workspace, { slug: "grow" });
await addAction(workspace, { slug: "resting", status: "paused" });
const run = await callTool(server.url, key, "run_action", { slug: "greet", input: { name: "Ada" } });
const runId = run.body.run_id;
afterAll(() => server.close());

const rpc = async (method: string, params: object = {}, rawKey = key) =>
  (await sendRpc(server.url, rawKey, method, params)).body;
const read = async (uri: string, rawKey = key) => {
  const { result, error } = await rpc("resources/read", { uri }, rawKey);
  return error ? { error } : { value: JSON.parse(result.contents[0].text), contents: result.contents };
};

describe("resources", () => {
  test("list the catalog of nodes and the active actions", async () => {
    const { result } = await rpc("resources/list");
    expect(result.resources.map(({ uri }: { uri: string }) => uri)).toEqual([
      "signalbox://nodes",
      "signalbox://actions/grow",
      "signalbox://actions/greet",
    ]);
    expect(result.resources[2]).toEqual({
      uri: "signalbox://actions/greet",
      name: "greet",
      title: "Greeting",
      description: "Says hello.",
      mimeType: "application/json",
    });
    expect(result.nextCursor).toBeUndefined();
  });

  test("have templates for actions, runs and nodes", async () => {
    const { result } = await rpc("resources/templates/list");
    expect(result.resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate)).toEqual([
      "signalbox://actions/{slug}",
      "signalbox://runs/{run_id}",
      "signalbox://nodes/{type}",
    ]);
  });

  test("return the same as the tools", async () => {
    const action = await callTool(server.url, key, "get_action", { slug: "greet" });
    expect((await read("signalbox://actions/greet")).value).toEqual(action.body);
    const run = await callTool(server.url, key, "get_run_status", { run_id: runId, steps: "summary" });
    const resource = await read(`signalbox://runs/${runId}`);
    expect(resource.value).toEqual(run.body);
    expect(resource.contents).toMatchObject([{ uri: `signalbox://runs/${runId}`, mimeType: "application/json" }]);
  });

  test("include the catalog of nodes, whole and by type, for any key", async () => {
    const { raw_key: runner } = await addKey(workspace, { scopes: ["actions:run"] });
    const { value } = await read("signalbox://nodes", runner);
    expect(value.nodes.map(({ type }: { type: string }) => type)).toEqual(STEP_TYPES);
    expect(value.example_definition.nodes.length).toBeGreaterThan(2);
    expect((await read("signalbox://nodes/switch", runner)).value).toEqual(describeNode("switch"));
  });

  test.each([
    "signalbox://actions/nowhere",
    "signalbox://actions/",
    "signalbox://runs/00000000-0000-7000-8000-000000000000",
    "signalbox://runs/no-id",
    "signalbox://nodes/toString",
    "signalbox://keys/1",
    "https://example.com/actions/greet",
    "",
  ])("are not found at %j", async (uri) => {
    const { error } = await read(uri);
    expect(error).toMatchObject({ code: -32602, data: { uri } });
  });

  test("of another workspace are not found", async () => {
    for (const uri of ["signalbox://actions/greet", `signalbox://runs/${runId}`]) {
      expect((await read(uri, stranger)).error).toMatchObject({ code: -32602, data: { uri } });
    }
    expect((await rpc("resources/list", {}, stranger)).result.resources).toHaveLength(1);
  });

  test("a key limited to some actions finds only those", async () => {
    const { raw_key: limited } = await addKey(workspace, { actionSlugs: ["grow"] });
    const { result } = await rpc("resources/list", {}, limited);
    expect(result.resources.map(({ name }: { name: string }) => name)).toEqual(["nodes", "grow"]);
    for (const uri of ["signalbox://actions/greet", `signalbox://runs/${runId}`]) {
      expect((await read(uri, limited)).error.data).toEqual({ uri });
    }
  });

  test("need the scopes of the tools: without them lists are empty and reads are refused", async () => {
    const { raw_key: runner } = await addKey(workspace, { scopes: ["actions:run"] });
    expect((await rpc("resources/list", {}, runner)).result.resources).toHaveLength(1);
    expect((await rpc("prompts/list", {}, runner)).result.prompts).toEqual([]);
    const needs = { "signalbox://actions/greet": "actions:read", [`signalbox://runs/${runId}`]: "runs:read" };
    for (const [uri, scope] of Object.entries(needs)) {
      const { error } = await read(uri, runner);
      expect(error).toMatchObject({ code: -31403, data: { code: "FORBIDDEN", details: { required_scope: scope } } });
    }
  });

  test("and prompts are paginated, and a cursor from elsewhere is refused", async () => {
    const crowded = await addWorkspace();
    const { raw_key: crowdedKey } = await addKey(crowded);
    await Promise.all(Array.from({ length: LIMITS.pageSizeMax + 1 }, () => addAction(crowded)));
    for (const [method, field] of [
      ["resources/list", "resources"],
      ["prompts/list", "prompts"],
    ] as const) {
      const first = (await rpc(method, {}, crowdedKey)).result;
      const second = (await rpc(method, { cursor: first.nextCursor }, crowdedKey)).result;
      const uris = [...first[field], ...second[field]].map(({ name }: { name: string }) => name);
      expect(new Set(uris).size).toBe(uris.length);
      expect(uris.filter((name) => name !== "nodes")).toHaveLength(LIMITS.pageSizeMax + 1);
      expect(second.nextCursor).toBeUndefined();
      expect((await rpc(method, { cursor: "x" }, crowdedKey)).error).toMatchObject({ code: -32602 });
      expect((await rpc(method, { cursor: first.nextCursor })).error).toMatchObject({ code: -32602 });
    }
    expect((await rpc("resources/templates/list", { cursor: "x" })).error).toMatchObject({ code: -32602 });
  });
});

test("every request of every method counts as one request of the window", async () => {
  const { raw_key: counted } = await addKey(workspace);
  const methods: [string, object][] = [
    ["resources/list", {}],
    ["resources/templates/list", {}],
    ["resources/read", { uri: "signalbox://nodes" }],
    ["prompts/list", {}],
    ["prompts/get", { name: "greet", arguments: { name: "Ada" } }],
    ["completion/complete", { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "name", value: "" } }],
  ];
  const remaining: number[] = [];
  for (const [method, params] of methods) {
    const { headers, body } = await sendRpc(server.url, counted, method, params);
    expect({ method, error: body.error }).toEqual({ method, error: undefined });
    remaining.push(Number(headers.get("x-ratelimit-remaining")));
  }
  expect(remaining).toEqual(methods.map((_, at) => 999 - at));
});
