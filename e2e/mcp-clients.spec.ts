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

test("a workflow built only by MCP fails, an agent fixes and publishes it again, and a user replays the run", async ({
  signedInPage: page,
  product,
}) => {
  const client = await connectV2("auto")(product);
  const call = async (name: string, args: Record<string, unknown>) => {
    const { structuredContent, isError } = await client.callTool({ name, arguments: args });
    expect(isError ?? false, JSON.stringify(structuredContent)).toBe(false);
    return structuredContent as Record<string, unknown>;
  };
  const code = (source: string) => ({ source, input: { amount: "{{action_input.amount}}" } });
  const total = { name: "total", type: "number", value: "{{vat.total}}" };
  const definition = {
    nodes: [
      { id: "start", type: "action_input", data: { properties: [{ name: "amount", type: "number", required: true }] } },
      { id: "vat", type: "code", data: code("return { total: input.order.amount * 1.2 };") },
      { id: "answer", type: "return_output", data: { properties: [total] } },
    ],
    edges: [
      { id: "1", source: "start", target: "vat" },
      { id: "2", source: "vat", target: "answer" },
    ],
  };
  const { workflow_id } = await call("create_workflow", { name: "VAT by an agent", definition });
  const slug = `agent-vat-${String(workflow_id).slice(-12)}`;
  await call("deploy_workflow", { workflow_id, slug });
  const runToEnd = async () => {
    const { run_id } = await call("run_action", { slug, input: { amount: 100 } });
    return call("wait_for_run", { run_id, timeout_seconds: 20, steps: "failed" });
  };
  expect(await runToEnd()).toMatchObject({ status: "failed", steps: [{ step_id: "vat", input: { amount: 100 } }] });

  const mend = { op: "update_node", node_id: "vat", data: { source: "return { total: input.amount * 1.2 };" } };
  await call("update_workflow", { workflow_id, operations: [mend] });
  expect(await call("deploy_workflow", { workflow_id })).toMatchObject({ version: 2, breaking_changes: [] });
  const mended = await runToEnd();
  expect(mended).toMatchObject({ status: "succeeded", output: { total: 120 }, action_release_version: 2 });
  await client.close();

  await page.goto(`/runs/${mended.run_id}`);
  await page.getByRole("button", { name: "Replay…", exact: true }).click();
  await page.getByRole("dialog", { name: "Replay this run" }).getByRole("button", { name: "Replay" }).click();
  await expect(page).not.toHaveURL(new RegExp(String(mended.run_id)));
  await expect(page.locator("header").first().getByText("Succeeded")).toBeVisible();
  await expect(page.getByRole("region", { name: "output" })).toContainText("120");
});
