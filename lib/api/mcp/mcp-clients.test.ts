import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "#lib/api/operations/registry";
import { listToolNames } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { DEFAULT_SCOPES } from "#lib/contract/key/scopes";
import { createKey } from "#lib/domain/keys/create-key";
import { revokeKey } from "#lib/domain/keys/revoke-key";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { greeting, newEditor } from "#lib/domain/workflows/workflow.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const server = await startMcpServer(OPERATIONS);
const editor = await newEditor("ann");
const { workflow_id: workflowId } = await createWorkflow(editor, {
  name: "Greeting",
  description: null,
  definition: greeting(),
});
await deployWorkflow(editor, { workflowId, slug: "greet" });
const key = (await createKey({ ...editor, name: "clients" })).raw_key;
afterAll(() => server.close());

type Connect = (rawKey: string) => Promise<LegacyClient | ModernClient>;

const url = () => new URL(server.url);
const withKey = (rawKey: string) => ({ requestInit: { headers: { authorization: `Bearer ${rawKey}` } } });
const info = { name: "test", version: "1" };

const v1: Connect = async (rawKey) => {
  const client = new LegacyClient(info);
  await client.connect(new LegacyTransport(url(), withKey(rawKey)) as Parameters<LegacyClient["connect"]>[0]);
  return client;
};
const v2 =
  (mode: "legacy" | "auto" | { pin: string }): Connect =>
  async (rawKey) => {
    const client = new ModernClient(info, { versionNegotiation: { mode } });
    await client.connect(new ModernTransport(url(), withKey(rawKey)));
    return client;
  };

describe.each<[string, Connect]>([
  ["the v1 SDK", v1],
  ["the v2 SDK, legacy", v2("legacy")],
  ["the v2 SDK, auto", v2("auto")],
  ["the v2 SDK, pinned to 2026-07-28", v2({ pin: "2026-07-28" })],
])("%s", (_, connect) => {
  test("connects, reads the instructions, lists the tools and starts a run", async () => {
    const client = await connect(key);
    expect(client.getServerVersion()?.name).toBe("signalbox");
    expect(client.getInstructions()).toContain("run_action");

    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(listToolNames(DEFAULT_SCOPES));

    const result = await client.callTool({ name: "run_action", arguments: { slug: "greet", input: { who: "Ada" } } });
    const [block] = result.content as { type: string; text: string }[];
    expect(JSON.parse(block?.text ?? "")).toEqual(result.structuredContent);
    expect(result.structuredContent).toMatchObject({ action_slug: "greet", status: "accepted", input: { who: "Ada" } });
    await client.close();
  });

  test("reads resources, gets prompts and completes names", async () => {
    const client = await connect(key);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["signalbox://nodes", "signalbox://actions/greet"]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain("signalbox://runs/{run_id}");
    const { contents } = await client.readResource({ uri: "signalbox://actions/greet" });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ slug: "greet", inputSchema: {} });

    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([{ name: "greet", arguments: [{ name: "who", required: true }] }]);
    const { messages } = await client.getPrompt({ name: "greet", arguments: { who: "Ada" } });
    expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining('"input":{"who":"Ada"}') });

    const ref = { type: "ref/resource", uri: "signalbox://actions/{slug}" } as const;
    const { completion } = await client.complete({ ref, argument: { name: "slug", value: "gr" } });
    expect(completion.values).toEqual(["greet"]);
    await expect(client.readResource({ uri: "signalbox://actions/nowhere" })).rejects.toThrow(/not found/i);
    await client.close();
  });

  test("reads a tool's failure as a tool result", async () => {
    const client = await connect(key);
    const result = await client.callTool({ name: "get_action", arguments: { slug: "nowhere" } });
    const [block] = result.content as { type: string; text: string }[];
    expect(result.isError).toBe(true);
    expect(JSON.parse(block?.text ?? "")).toMatchObject({ code: "ACTION_NOT_FOUND" });
    await client.close();
  });

  test("is notified in the middle of a session that its key was revoked", async () => {
    const other = await newEditor("eve");
    const { key_id: keyId, raw_key: rawKey } = await createKey({ ...other, name: "short-lived" });
    const client = await connect(rawKey);
    await revokeKey({ ...other, keyId });
    const result = await client.callTool({ name: "list_actions", arguments: {} });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("API key revoked") }] });
    await client.close();
  });

  test("cannot connect with an invalid key, and shows the reason", async () => {
    await expect(connect(`svc_${"x".repeat(32)}`)).rejects.toThrow(/API key|401/);
  });
});
