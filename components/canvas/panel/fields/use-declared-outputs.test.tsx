import { screen, within } from "@testing-library/react";
import { act } from "react";
import { expect, test } from "vitest";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { eventually } from "#lib/support/eventually.fixture";
import { editNodeData } from "@/components/canvas/document/edit-data";
import { testNode } from "@/components/canvas/document/test-definition";
import { loadKindForms } from "@/components/canvas/kinds/load-kind-forms";
import { NodePanel } from "@/components/canvas/panel/node-panel";
import { renderCanvas } from "@/components/canvas/store/render-canvas.fixture";
import { idOf } from "@/components/testing/page.fixture";

type Schema = WebOperations["get_operation_schema"]["output"];
type Action = WebOperations["get_action"]["output"];

const FORMS = await loadKindForms();
const SERVER = idOf(1);
const START = testNode("start", "action_input", 0, 0, { properties: [] });
const ASK = testNode("ask", "approval", 0, 900, { name: "Ask", message: "{{refund.receipt}}" });
const invoice = (id: string) =>
  testNode(id, "connector", 0, 100, { connector: "billing-api", operation: "create_invoice", params: {} });
const TOOL = testNode("tool", "connector", 0, 300, {
  connector: "mcp",
  operation: "weather",
  connection_id: SERVER,
  params: {},
});
const REFUND = testNode("refund", "sub_workflow", 0, 400, { action_slug: "refund-order", input: {} });

const INVOICE_OUTPUT = {
  type: "object",
  properties: { body: { type: "object", properties: { invoice_id: { type: "string" } }, required: ["invoice_id"] } },
  required: ["body"],
};
const TOOL_OUTPUT = {
  type: "object",
  properties: { data: { type: "object", properties: { celsius: { type: "number" } } } },
};
const REFUND_OUTPUT = { type: "object", properties: { receipt: { type: "integer" } } };

function renderAsk(nodes: Parameters<typeof renderCanvas>[1]["nodes"]) {
  return renderCanvas((controls) => <NodePanel controls={controls} forms={FORMS} />, {
    nodes,
    open: "ask",
    prepare: (server) => {
      server.answer("get_operation_schema", ({ connector, operation, connection_id }) => {
        const output = connector === "mcp" ? TOOL_OUTPUT : INVOICE_OUTPUT;
        const named = { connector, operation, ...(connection_id === undefined ? {} : { connection_id }) };
        return { ...named, output_schema: output } as Partial<Schema> as Schema;
      });
      server.answer("get_action", ({ slug }) => ({ slug, outputSchema: REFUND_OUTPUT }) as Partial<Action> as Action);
    },
  });
}

const row = (name: RegExp) => within(screen.getByRole("tree")).getByRole("treeitem", { name });

test("the tree offers what called operations, tools and actions declare, and asks once for each", async () => {
  const { server, editor, user } = renderAsk([START, invoice("first"), invoice("second"), TOOL, REFUND, ASK]);
  await eventually(() => expect(row(/^receipt/).textContent).toBe("receipt, integer"));
  expect(server.sent("get_action")).toEqual([{ slug: "refund-order" }]);
  expect(server.sent("get_operation_schema")).toHaveLength(2);
  expect(server.sent("get_operation_schema")).toEqual(
    expect.arrayContaining([
      { connector: "billing-api", operation: "create_invoice" },
      { connector: "mcp", operation: "weather", connection_id: SERVER },
    ]),
  );
  const { definition, edit } = editor.getState();
  act(() => edit(editNodeData(definition, "ask", ["message"], "{{tool.data.celsius}}")));
  const search = screen.getByRole("searchbox", { name: "Search the data" });
  await user.type(search, "celsius");
  await eventually(() => expect(row(/^celsius/).textContent).toContain("number"));
  await user.clear(search);
  await user.type(search, "invoice_id");
  await eventually(() => expect(screen.getAllByRole("treeitem", { name: /^invoice_id/ })).toHaveLength(2));
  expect(server.sent("get_operation_schema")).toHaveLength(2);
});

test("a draft without such steps asks for nothing", async () => {
  const { server } = renderAsk([START, ASK]);
  await screen.findByRole("tree");
  expect(server.sent("get_operation_schema")).toEqual([]);
  expect(server.sent("get_action")).toEqual([]);
});
