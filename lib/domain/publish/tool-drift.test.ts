import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startToolServer, type ToolServer } from "#lib/connectors/mcp/tool-server.fixture";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { createConnection } from "#lib/domain/connections/create-connection";
import { loadPinnedTools, toolKey } from "#lib/domain/connections/tools/pin-tools";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { previewPublish } from "#lib/domain/publish/preview-publish";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { getWorkflow } from "#lib/domain/workflows/get-workflow";
import { greeting, newEditor } from "#lib/domain/workflows/workflow.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

process.env.OUTBOUND_ALLOW = "127.0.0.1";
await openTestDatabase();

let server: ToolServer;
let connectionId: string;
let count = 0;

const ann = await newEditor("ann");
beforeEach(async () => {
  server = await startToolServer();
  count += 1;
  const about = { ...ann, connector: "mcp", auth: "none", acceptFailure: false };
  const fields = { server_url: server.url };
  const { connection } = await createConnection({ ...about, name: `Weather ${count}`, fields });
  connectionId = connection.connection_id;
});
afterAll(() => server.close());

const withTool = (params: JsonObject = { city: "Oslo" }, more: JsonObject = {}): Definition => {
  const { nodes, edges } = greeting();
  const data = { connector: "mcp", operation: "weather", connection_id: connectionId, params, ...more };
  return {
    nodes: [...nodes, { id: "tool", type: "connector", position: { x: 0, y: 100 }, data }],
    edges: [...edges, { id: "e2", source: "start", target: "tool" }, { id: "e3", source: "tool", target: "answer" }],
  };
};
async function create(definition = withTool()): Promise<string> {
  return (await createWorkflow(ann, { name: "Forecast", description: null, definition })).workflow_id;
}
async function publish(workflowId: string) {
  return deployWorkflow(ann, { workflowId, slug: `forecast-${count}`, allowBreaking: true });
}
function change(schema: JsonObject): void {
  const entry = server.tools.get("weather");
  if (!entry) throw new Error("there is no tool");
  const { inputSchema } = entry.tool;
  server.tools.set("weather", { ...entry, tool: { ...entry.tool, inputSchema: { ...inputSchema, ...schema } } });
}
const codes = (found: readonly { code: string }[]) => found.map(({ code }) => code);

describe("a tool that its server changed after a publish", () => {
  test("is shown before the next publish, with what changed, and not before", async () => {
    const workflowId = await create();
    expect((await publish(workflowId)).warnings).toEqual([]);
    expect((await previewPublish(ann.workspaceId, workflowId)).warnings).toEqual([]);
    const days = { type: "integer" };
    change({ properties: { city: { type: "string" }, days }, required: ["city", "days"] });
    const { warnings, problems } = await previewPublish(ann.workspaceId, workflowId);
    expect(warnings).toMatchObject([
      { code: "TOOL_CHANGED", node_id: "tool", message: expect.stringMatching(/requires days, no longer takes unit/) },
    ]);
    expect(problems).toMatchObject([{ code: "INVALID_DATA", field: "params.days" }]);
    expect(codes((await getWorkflow(ann.workspaceId, workflowId)).problems)).toContain("TOOL_CHANGED");
    await expect(publish(workflowId)).rejects.toMatchObject({ code: "PUBLISH_VALIDATION_FAILED" });
  });

  test("is read again by a publish without a preview, and pinned as it is then", async () => {
    const workflowId = await create();
    await publish(workflowId);
    change({ properties: { city: { type: "string" }, days: { type: "integer" } } });
    expect(codes((await publish(workflowId)).warnings)).toEqual(["TOOL_CHANGED"]);
    expect(codes((await publish(workflowId)).warnings)).toEqual([]);
    const { rows } = await db().query("select id from workflow_versions where workflow_id = $1 order by version", [
      workflowId,
    ]);
    const pins = await Promise.all(rows.map(({ id }) => loadPinnedTools(db(), id)));
    const takes = pins.map((tools) => {
      return Object.keys(tools.get(toolKey(connectionId, "weather"))?.inputSchema.properties as JsonObject);
    });
    expect(takes).toEqual([
      ["city", "unit"],
      ["city", "days"],
      ["city", "days"],
    ]);
  });

  test("with other words only is shown, because models follow them, and prevents no publish", async () => {
    const workflowId = await create();
    await publish(workflowId);
    change({
      properties: { city: { type: "string", description: "Any city" }, unit: { enum: ["c", "f"], type: "string" } },
    });
    const { warnings, problems } = await previewPublish(ann.workspaceId, workflowId);
    expect(warnings).toMatchObject([
      { code: "TOOL_CHANGED", message: expect.stringContaining("it describes its fields differently") },
    ]);
    expect(problems).toEqual([]);
  });

  test("by removing it prevents a publish", async () => {
    const workflowId = await create();
    await publish(workflowId);
    server.tools.delete("weather");
    expect(codes((await previewPublish(ann.workspaceId, workflowId)).problems)).toEqual(["UNKNOWN_OPERATION"]);
  });
});

test("a server that cannot be reached prevents no publish, and the preview says since when its tools are known", async () => {
  const workflowId = await create();
  server.close();
  const { warnings, problems } = await previewPublish(ann.workspaceId, workflowId);
  expect(problems).toEqual([]);
  expect(warnings).toMatchObject([
    { code: "TOOLS_OUTDATED", message: expect.stringContaining("No answer from 127.0.0.1") },
  ]);
  expect(codes((await publish(workflowId)).warnings)).toEqual(["TOOLS_OUTDATED"]);
});

describe("the arguments of a tool are checked in the draft", () => {
  test.each([
    ["a missing one", {}, { code: "INVALID_DATA", field: "params.city", severity: "error" }],
    ["a wrong type", { city: 7 }, { code: "INVALID_DATA", field: "params.city", severity: "error" }],
    ["a value that is not allowed", { city: "Oslo", unit: "k" }, { code: "INVALID_DATA", field: "params.unit" }],
    ["an unknown name", { city: "Oslo", citty: "" }, { code: "UNKNOWN_KEY", severity: "warning" }],
  ])("%s", async (_, params, problem) => {
    const { problems } = await getWorkflow(ann.workspaceId, await create(withTool(params)));
    expect(problems).toMatchObject([problem]);
  });

  test("expressions know the structured result", async () => {
    const definition = withTool();
    const answer = definition.nodes.find(({ id }) => id === "answer");
    if (answer) answer.data = { properties: [{ name: "text", type: "number", value: "{{tool.data.degres}}" }] };
    const { problems } = await getWorkflow(ann.workspaceId, await create(definition));
    expect(problems).toMatchObject([{ message: expect.stringContaining("degrees") }]);
  });

  test("a tool of another workspace's connection is unknown", async () => {
    const eve = await newEditor("eve");
    const made = await createWorkflow(eve, { name: "Theft", description: null, definition: withTool() });
    const { problems } = await getWorkflow(eve.workspaceId, made.workflow_id);
    expect(codes(problems).toSorted()).toEqual(["UNKNOWN_CONNECTION", "UNKNOWN_OPERATION"]);
  });
});
