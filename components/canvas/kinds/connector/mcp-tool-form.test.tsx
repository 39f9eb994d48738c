import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";
import type { FakeServer } from "@/components/testing/fake-server.fixture";
import { idOf } from "@/components/testing/page.fixture";

type Tools = WebOperations["get_connection_tools"]["output"];
type Connector = WebOperations["list_connectors"]["output"]["data"][number];
type Schema = WebOperations["get_operation_schema"]["output"];

const NONE = { has_more: false as const, next_cursor: null };
const tool = (name: string, title: string) => ({
  name,
  title,
  description: `${title} of a city`,
  params_schema: {},
  output_schema: null,
  repeatable: true,
});
const SERVER: Tools = {
  connection_id: idOf(1),
  server: { name: "Fixture", version: "1.0", protocol: "2026-07-28" },
  tools: [tool("weather", "Weather"), tool("tides", "Tides")],
  left_out: [],
  read_at: "2026-01-01T00:00:00.000Z",
  stale: false,
  last_error: null,
};

function prepare(server: FakeServer) {
  const mcp = { connector: "mcp", name: "MCP server", kind: "builtin", operations: [], triggers: [] };
  server.answer("list_connectors", { data: [mcp as Partial<Connector> as Connector], ...NONE });
  server.answer("get_connection_tools", SERVER);
  const params = { type: "object", required: ["city"], properties: { city: { type: "string", title: "City" } } };
  server.answer("get_operation_schema", { params_schema: params } as Partial<Schema> as Schema);
}

const STEP = { name: "Ask", connector: "mcp", operation: "", connection_id: idOf(1), params: {} };

test("a step lists the tools of its server, and edits the arguments of the chosen one by its schema", async () => {
  const { user, dataOf, server } = renderForm("connector", STEP, { prepare });
  await screen.findByRole("option", { name: "Weather" });
  await user.selectOptions(screen.getByRole("combobox", { name: "Tool" }), "Weather");
  screen.getByText("Weather of a city");
  await fillIn(user, await screen.findByRole("textbox", { name: "City" }), "Oslo");
  expect(dataOf()).toMatchObject({ operation: "weather", connection_id: idOf(1), params: { city: "Oslo" } });
  expect(server.sent("get_operation_schema").at(-1)).toEqual({
    connector: "mcp",
    operation: "weather",
    connection_id: idOf(1),
  });
});

test("the tools can be read again, and the server's failure is shown", async () => {
  const { user, server } = renderForm("connector", STEP, { prepare });
  server.refuse("refresh_connection_tools", { code: "CONNECTION_TEST_FAILED", message: "No answer from the server." });
  await user.click(await screen.findByRole("button", { name: "Refresh tools" }));
  await screen.findByText("No answer from the server.");
  expect(server.sent("refresh_connection_tools")).toEqual([{ connection_id: idOf(1) }]);
});

test("a step without a connection asks for it first", async () => {
  renderForm("connector", { ...STEP, connection_id: "" }, { prepare });
  await screen.findByRole("combobox", { name: "Connection" });
  expect(screen.queryByRole("combobox", { name: "Tool" })).toBeNull();
});
