import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, type Product, test } from "#e2e/fixtures";

const info = { name: "test", version: "1" };

function connection({ mcp_url, raw_key }: Product) {
  return [new URL(mcp_url), { requestInit: { headers: { authorization: `Bearer ${raw_key}` } } }] as const;
}

async function connectV1(product: Product) {
  const client = new LegacyClient(info);
  await client.connect(new LegacyTransport(...connection(product)) as Parameters<LegacyClient["connect"]>[0]);
  return client;
}

const connectV2 = (mode: "legacy" | "auto" | { pin: string }) => async (product: Product) => {
  const client = new ModernClient(info, { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(...connection(product)));
  return client;
};

const CLIENTS = {
  "the v1 SDK": connectV1,
  "the v2 SDK, legacy": connectV2("legacy"),
  "the v2 SDK, auto": connectV2("auto"),
  "the v2 SDK, pinned to 2026-07-28": connectV2({ pin: "2026-07-28" }),
};

for (const [name, connect] of Object.entries(CLIENTS)) {
  test(`${name} lists the tools, runs the action and waits for its output`, async ({ product }) => {
    const client = await connect(product);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(["run_action", "wait_for_run"]));

    const { slug, input } = product;
    const accepted = await client.callTool({ name: "run_action", arguments: { slug, input } });
    expect(accepted.structuredContent).toMatchObject({ action_slug: slug, status: "accepted" });

    const { run_id } = accepted.structuredContent as { run_id: string };
    const ended = await client.callTool({ name: "wait_for_run", arguments: { run_id, timeout_seconds: 20 } });
    expect(ended.structuredContent).toMatchObject({ run_id, status: "succeeded", output: { known: true } });
    await client.close();
  });
}
