import { expect, test } from "vitest";
import { mcpCaller } from "#bench/mistakes/mcp-caller";
import { measureMistakes } from "#bench/mistakes/mistakes";
import { prepareWorkspace } from "#bench/mistakes/prepare-workspace";
import { useRunningProduct } from "#lib/api/testing/running-product.fixture";
import { db } from "#lib/platform/db/pool";

process.env.REQUESTS_PER_WINDOW = "0";
const product = useRunningProduct();

test("create, update, and publish over MCP report every mistake and a fix that works, and no problem in valid definitions", async () => {
  const call = mcpCaller(`${product.baseUrl}/mcp`, { authorization: `Bearer ${product.key}` });
  await prepareWorkspace(db(), product.workspace.workspaceId, call);
  const { figures, report } = await measureMistakes(call);
  expect(
    figures.filter(({ isMet }) => isMet === false),
    report.join("\n"),
  ).toEqual([]);
  expect(report.filter((line) => line.includes("MISSED"))).toEqual([]);
});
