import { afterAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callTool, sendRpc } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import type { InputSchema } from "#lib/contract/wire/json-schema";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const SCHEMA: InputSchema = {
  type: "object",
  properties: {
    order: { type: "string", description: "Its number." },
    amount: { type: "number" },
    express: { type: "boolean" },
    speed: { type: "string", enum: ["slow", "swift", "stop"] },
    lines: { type: "array" },
  },
  required: ["order", "amount"],
};

const server = await startMcpServer(OPERATIONS);
const workspace = await addWorkspace();
const key = (await addKey(workspace)).raw_key;
await addAction(workspace, { slug: "ship", name: "Ship it", description: "Sends an order.", inputSchema: SCHEMA });
await addAction(workspace, { slug: "shelved", status: "paused" });
afterAll(() => server.close());

const rpc = async (method: string, params: object = {}, rawKey = key) =>
  (await sendRpc(server.url, rawKey, method, params)).body;
const get = (name: string, args?: object) => rpc("prompts/get", { name, arguments: args });

describe("a prompt", () => {
  test("is listed for each active action, with the action's input as arguments", async () => {
    const { result } = await rpc("prompts/list");
    expect(result.prompts).toEqual([
      {
        name: "ship",
        title: "Ship it",
        description: "Sends an order.",
        arguments: [
          { name: "order", description: "Its number. (string)", required: true },
          { name: "amount", description: "(number)", required: true },
          { name: "express", description: "(boolean)", required: false },
          { name: "speed", description: '(string, one of "slow", "swift", "stop")', required: false },
          { name: "lines", description: "(array as JSON)", required: false },
        ],
      },
    ]);
  });

  test("explains how to call the action, with each argument in its type", async () => {
    const { result } = await get("ship", { order: "7", amount: "12.5", express: "true", lines: "[1]", other: "x" });
    const { role, content } = result.messages[0];
    expect(role).toBe("user");
    const input = { order: "7", amount: 12.5, express: true, lines: [1] };
    expect(content.text).toContain(`run_action with ${JSON.stringify({ slug: "ship", input })}`);
    expect(content.text).toContain("wait_for_run");
    expect(content.text).toContain(JSON.stringify(SCHEMA));
    const { body } = await callTool(server.url, key, "run_action", { slug: "ship", input });
    expect(body).toMatchObject({ status: "accepted", input });
  });

  test("keeps an argument that does not match its type, so that input validation reports it", async () => {
    const { result } = await get("ship", { order: "7", amount: "much" });
    expect(result.messages[0].content.text).toContain('"amount":"much"');
  });

  test.each([
    ["that lacks required arguments", "ship", { express: "true" }, /order, amount/],
    ["with an unknown name", "nowhere", {}, /Unknown prompt: nowhere/],
    ["for a paused action", "shelved", {}, /Unknown prompt/],
  ])("%s is refused", async (_, name, args, message) => {
    expect((await get(name, args)).error).toMatchObject({ code: -32602, message: expect.stringMatching(message) });
  });

  test("for an action of another workspace is unknown; without the scope it is refused", async () => {
    const { raw_key: stranger } = await addKey(await addWorkspace());
    expect((await rpc("prompts/get", { name: "ship" }, stranger)).error).toMatchObject({ code: -32602 });
    expect((await rpc("prompts/list", {}, stranger)).result.prompts).toEqual([]);
    const { raw_key: runner } = await addKey(await addWorkspace(), { scopes: ["actions:run"] });
    expect((await rpc("prompts/get", { name: "ship" }, runner)).error).toMatchObject({ code: -31403 });
  });
});

describe("a completion", () => {
  const resource = (uri: string) => ({ type: "ref/resource", uri });
  const complete = async (ref: object, name: string, value: string, rawKey = key) =>
    (await rpc("completion/complete", { ref, argument: { name, value } }, rawKey)).result.completion;

  test.each([
    ["slugs", resource("signalbox://actions/{slug}"), "slug", "sh", ["ship"]],
    ["no slug that starts differently", resource("signalbox://actions/{slug}"), "slug", "hip", []],
    ["nothing for text longer than any slug", resource("signalbox://actions/{slug}"), "slug", "s".repeat(999), []],
    ["node types", resource("signalbox://nodes/{type}"), "type", "co", STEP_TYPES.filter((t) => t.startsWith("co"))],
    ["an enum's values", { type: "ref/prompt", name: "ship" }, "speed", "s", ["slow", "swift", "stop"]],
    ["an enum's values by prefix", { type: "ref/prompt", name: "ship" }, "speed", "sw", ["swift"]],
    ["booleans", { type: "ref/prompt", name: "ship" }, "express", "t", ["true"]],
    ["nothing for a property that accepts any text", { type: "ref/prompt", name: "ship" }, "order", "", []],
    ["nothing for an unknown prompt", { type: "ref/prompt", name: "nowhere" }, "x", "", []],
    [
      "nothing for the names of built-in object properties",
      { type: "ref/prompt", name: "ship" },
      "constructor",
      "",
      [],
    ],
    ["nothing for an unknown template", resource("signalbox://keys/{id}"), "id", "", []],
  ])("offers %s", async (_, ref, name, value, values) => {
    expect(await complete(ref, name, value)).toEqual({ values, total: values.length, hasMore: false });
  });

  test("offers the newest runs to a key that may read runs", async () => {
    const { body } = await callTool(server.url, key, "run_action", { slug: "ship", input: { order: "1", amount: 1 } });
    const ref = resource("signalbox://runs/{run_id}");
    expect((await complete(ref, "run_id", body.run_id.slice(0, 30))).values).toContain(body.run_id);
    const { raw_key: reader } = await addKey(await addWorkspace(), { scopes: ["actions:read"] });
    expect((await complete(ref, "run_id", "", reader)).values).toEqual([]);
    const { raw_key: runner } = await addKey(await addWorkspace(), { scopes: ["runs:read"] });
    expect((await complete(resource("signalbox://actions/{slug}"), "slug", "", runner)).values).toEqual([]);
    expect((await complete({ type: "ref/prompt", name: "ship" }, "speed", "", runner)).values).toEqual([]);
  });
});
