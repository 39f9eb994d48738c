import { afterAll, describe, expect, test } from "vitest";
import { readTypedActions, typedToolName } from "#lib/api/mcp/mcp-typed-tools";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callTool, listToolNames, sendRpc } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { SLUG_PATTERN } from "#lib/contract/action/action";
import { DEFAULT_SCOPES } from "#lib/contract/key/scopes";
import type { InputSchema } from "#lib/contract/wire/json-schema";
import { aliasRules } from "#lib/core/input/input-aliases";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const SCHEMA: InputSchema = {
  type: "object",
  properties: { order: { type: "integer" }, lines: { type: "array" }, options: { type: "object" } },
  required: ["order"],
};
const OUTPUT = { type: "object", properties: { code: { type: "string" } } } as const;
const REPEAT_KEY = { type: "string", description: "Calls with the same key create one run." };
const ODD: InputSchema = { type: "object", properties: { "order id": { type: "string" } }, required: [] };

const server = await startMcpServer(OPERATIONS);
const workspace = await addWorkspace();
const key = (await addKey(workspace)).raw_key;
await addAction(workspace, { slug: "ship", name: "Ship it", inputSchema: SCHEMA, outputSchema: OUTPUT });
await addAction(workspace, { slug: "greet", description: "Says hello." });
await addAction(workspace, { slug: "shelved", status: "paused" });
await addAction(workspace, { slug: "odd", inputSchema: ODD });
afterAll(() => server.close());

const endpoint = (choice: string) => `${server.url}?typed_actions=${choice}`;
async function list(choice: string, rawKey = key) {
  const { body } = await sendRpc(endpoint(choice), rawKey, "tools/list");
  return body.result.tools.filter(({ name }: { name: string }) => name.startsWith("action_"));
}
const namesOf = async (choice: string, rawKey = key) =>
  (await list(choice, rawKey)).map(({ name }: { name: string }) => name);

describe("typed tools", () => {
  test("are listed after all other tools, and only if the URL requests them", async () => {
    const { body } = await sendRpc(server.url, key, "tools/list");
    const usual = body.result.tools.length;
    expect(usual).toBe(listToolNames(DEFAULT_SCOPES).length);
    const asked = (await sendRpc(endpoint("all"), key, "tools/list")).body.result.tools;
    expect(asked.slice(usual).map(({ name }: { name: string }) => name)).toEqual(["action_greet", "action_ship"]);
  });

  test("list the current name of a renamed field only, and accept its old name", async () => {
    const renamed: InputSchema = {
      type: "object",
      properties: { order: { type: "string" }, order_id: { type: "string", deprecated: true } },
      required: [],
      allOf: aliasRules({ name: "order", isRequired: true, aliases: ["order_id"] }),
    };
    const other = await addWorkspace();
    const otherKey = (await addKey(other)).raw_key;
    await addAction(other, { slug: "track", inputSchema: renamed });
    const [tool] = await list("all", otherKey);
    expect(tool.inputSchema).toEqual({
      type: "object",
      properties: { order: { type: "string" }, idempotency_key: REPEAT_KEY },
      required: ["order"],
    });
    const answer = await callTool(endpoint("all"), otherKey, "action_track", { order_id: "A-1" });
    expect(answer.body).toMatchObject({ input: { order: "A-1" } });
  });

  test("can be limited to some actions; unknown slugs are ignored", async () => {
    expect(await namesOf("ship,nowhere")).toEqual(["action_ship"]);
    expect(await namesOf("true")).toEqual(["action_greet", "action_ship"]);
    expect(await namesOf("false")).toEqual([]);
  });

  test("have the action's own schemas", async () => {
    const [tool] = await list("ship");
    expect(tool).toMatchObject({
      title: "Ship it",
      description: expect.stringContaining("wait_for_run"),
      inputSchema: {
        type: "object",
        properties: { ...SCHEMA.properties, lines: { type: "array", items: {} }, idempotency_key: REPEAT_KEY },
        required: ["order"],
      },
      outputSchema: { type: "object", required: ["run_id", "status"] },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    });
    expect(tool.outputSchema.properties.output).toEqual({ anyOf: [OUTPUT, { type: "null" }] });
  });

  test("create a run like run_action", async () => {
    const called = await callTool(endpoint("all"), key, "action_ship", { order: 7, options: '{"fast": true}' });
    expect(called).toMatchObject({ isError: false, structuredContent: called.body });
    expect(called.body).toMatchObject({
      action_slug: "ship",
      status: "accepted",
      source: "action",
      input: { order: 7, options: { fast: true } },
    });
  });

  test("create one run per idempotency key, as run_action does with the same key", async () => {
    const args = { order: 8, idempotency_key: "order-8" };
    const first = await callTool(endpoint("all"), key, "action_ship", args);
    expect(first).toMatchObject({ isError: false, body: { input: { order: 8 } } });
    expect(first.body.input).not.toHaveProperty("idempotency_key");
    const again = await callTool(endpoint("all"), key, "action_ship", args);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const plain = { slug: "ship", input: { order: 8 }, idempotency_key: "order-8" };
    expect((await callTool(server.url, key, "run_action", plain)).body.run_id).toBe(first.body.run_id);
    const other = await callTool(endpoint("all"), key, "action_ship", { ...args, order: 9 });
    expect(other).toMatchObject({ isError: true, body: { code: "IDEMPOTENCY_KEY_REUSED" } });
  });

  test("leave out an idempotency key that is null, and refuse one that is no key", async () => {
    const calls = [1, 2].map(() => callTool(endpoint("all"), key, "action_ship", { order: 10, idempotency_key: null }));
    const [one, two] = await Promise.all(calls);
    expect(one?.body.run_id).not.toBe(two?.body.run_id);
    for (const idempotency_key of [7, "", "a b", ["x"]]) {
      const refused = await callTool(endpoint("all"), key, "action_ship", { order: 10, idempotency_key });
      expect(refused, String(idempotency_key)).toMatchObject({ isError: true, body: { code: "BAD_REQUEST" } });
      expect(refused.body.error).toMatch(/^idempotency_key: /);
    }
  });

  test("pass an input named idempotency_key to the action that has one", async () => {
    const other = await addWorkspace();
    const otherKey = (await addKey(other)).raw_key;
    const inputSchema: InputSchema = {
      type: "object",
      properties: { idempotency_key: { type: "integer" } },
      required: ["idempotency_key"],
    };
    await addAction(other, { slug: "forward", inputSchema });
    expect((await list("all", otherKey))[0].inputSchema).toEqual(inputSchema);
    const calls = [1, 2].map(() => callTool(endpoint("all"), otherKey, "action_forward", { idempotency_key: 7 }));
    const [one, two] = await Promise.all(calls);
    expect(one?.body.input).toEqual({ idempotency_key: 7 });
    expect(one?.body.run_id).not.toBe(two?.body.run_id);
  });

  test("answer an invalid input with its fields and the expected schema", async () => {
    const { isError, body, hint } = await callTool(endpoint("ship"), key, "action_ship", { order: "seven" });
    expect(isError).toBe(true);
    expect(body).toMatchObject({ code: "INPUT_VALIDATION_FAILED", details: [{ field: "order" }] });
    expect(JSON.parse(hint?.split("schema: ")[1] ?? "")).toEqual(SCHEMA);
  });

  test.each([
    ["if the URL requests none", "", "action_ship"],
    ["for an action that the URL does not request", "?typed_actions=greet", "action_ship"],
    ["for a paused action", "?typed_actions=all", "action_shelved"],
  ])("are unknown %s", async (_, query, name) => {
    const { body } = await sendRpc(`${server.url}${query}`, key, "tools/call", { name, arguments: {} });
    expect(body.error).toMatchObject({ code: -32602, message: `Unknown tool: ${name}` });
  });

  test("follow the limits and scopes of the key", async () => {
    const { raw_key: stranger } = await addKey(await addWorkspace());
    expect(await namesOf("all", stranger)).toEqual([]);
    const { raw_key: runner } = await addKey(workspace, { scopes: ["actions:run"] });
    expect(await namesOf("all", runner)).toEqual([]);
    const reading = await addWorkspace();
    await addAction(reading, { slug: "greet" });
    const { raw_key: reader } = await addKey(reading, { scopes: ["actions:read"] });
    const { body } = await callTool(endpoint("all"), reader, "action_greet", { name: "Ada" });
    expect(body).toMatchObject({ code: "FORBIDDEN", details: { required_scope: "actions:run" } });
  });

  test("are at most twenty, the newest", async () => {
    const crowded = await addWorkspace();
    const { raw_key: crowdedKey } = await addKey(crowded);
    for (let at = 10; at < 33; at++) await addAction(crowded, { slug: `a-${at}` });
    const names = await namesOf("all", crowdedKey);
    expect(names).toEqual(Array.from({ length: 20 }, (_, at) => `action_a-${at + 13}`));
    expect(await namesOf("a-10,a-11", crowdedKey)).toEqual(["action_a-10", "action_a-11"]);
  });

  test("cost one request, whether listed or called", async () => {
    const alone = await addWorkspace();
    const { raw_key: aloneKey } = await addKey(alone);
    const listed = await sendRpc(endpoint("all"), aloneKey, "tools/list");
    const called = await sendRpc(endpoint("all"), aloneKey, "tools/call", { name: "action_x", arguments: {} });
    const left = [listed, called].map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
    expect(left[0]).toBe((left[1] ?? 0) + 1);
  });
});

describe("a tool's name", () => {
  const long = `${"a".repeat(60)}-1`;
  test.each(["greet", "a", "a".repeat(57), "a".repeat(58), "a".repeat(64), long])(
    "for the slug %s is accepted by clients",
    (slug) => {
      expect(slug).toMatch(SLUG_PATTERN);
      expect(typedToolName(slug)).toMatch(/^action_[A-Za-z0-9_-]{1,57}$/);
    },
  );

  test("is different for two long slugs", () => {
    expect(typedToolName(long)).not.toBe(typedToolName(`${"a".repeat(60)}-2`));
    // A slug cannot contain an underscore, so no slug can equal another slug's digest.
    expect(typedToolName(long)).toMatch(/^action_a{48}_[0-9a-f]{8}$/);
  });
});

test.each([
  ["", null],
  ["?typed_actions=", null],
  ["?typed_actions=false", null],
  ["?typed_actions=all", "all"],
  ["?typed_actions=a,%20b", ["a", "b"]],
])("the URL's %j requests %j", (query, asked) => {
  expect(readTypedActions(new URLSearchParams(query))).toEqual(asked);
});

test("an integer beyond 2^53 is refused with its pointer in the input, however the input arrives", async () => {
  const send = async (args: string) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${args}}`;
    const response = await fetch(endpoint("all"), {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body,
    });
    const { result } = await response.json();
    return { isError: result.isError, body: JSON.parse(result.content[0].text) };
  };
  const refused = {
    isError: true,
    body: { code: "INPUT_VALIDATION_FAILED", details: [{ pointer: "/a/0", code: "unsafe_number" }] },
  };
  for (const args of [
    '{"name":"run_action","arguments":{"slug":"ship","input":{"a":[8202522731445525542]}}}',
    '{"name":"run_action","arguments":{"slug":"ship","input":"{\\"a\\":[8202522731445525542]}"}}',
    `{"name":"${typedToolName("ship")}","arguments":{"a":[8202522731445525542]}}`,
  ]) {
    expect(await send(args), args).toMatchObject(refused);
  }
});

test("a JSON-RPC id beyond 2^53 is no id, because the answer would have another one", async () => {
  const body = '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}';
  const response = await fetch(server.url, { method: "POST", headers: { authorization: `Bearer ${key}` }, body });
  expect(await response.json()).toMatchObject({ id: null, error: { code: -32600 } });
});
