import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { testNode } from "@/components/canvas/document/test-definition";
import { loadKindForms } from "@/components/canvas/kinds/load-kind-forms";
import { itemBox } from "@/components/canvas/kinds/render-form.fixture";
import { NodePanel } from "@/components/canvas/panel/node-panel";
import { renderCanvas } from "@/components/canvas/store/render-canvas.fixture";
import { expectFocus } from "@/components/testing/render-page.fixture";

const FORMS = await loadKindForms();
const START = testNode("start", "action_input", 0, 0, {
  properties: [
    { name: "amount", type: "integer", required: true },
    { name: "note", type: "string", required: false },
  ],
});
const CALL = testNode("call", "connector", 0, 100, { name: "Call" });
const ANSWER = { status: 200, body: { total: 42, paid: true, lines: [1] } };

function renderStep(node: GraphNode, isReadOnly = false) {
  const page = renderCanvas((controls) => <NodePanel controls={controls} forms={FORMS} />, {
    nodes: [START, CALL, node],
    open: node.id,
    isReadOnly,
    before: ({ tests }) => tests.getState().pin("call", { value: ANSWER, fromRunId: null }),
  });
  const tree = screen.getByRole("tree", { name: "Data from earlier steps" });
  const choose = (name: RegExp) => page.user.click(within(tree).getByRole("treeitem", { name }));
  const open = async (name: RegExp) => {
    within(tree).getByRole("treeitem", { name }).focus();
    await page.user.keyboard("{ArrowRight}");
  };
  const data = () => page.editor.getState().definition.nodes.find(({ id }) => id === node.id)?.data;
  return { ...page, choose, open, data };
}

const output = (properties: unknown[]) => testNode("end", "return_output", 0, 200, { properties });

test("a value chosen for Return Output becomes a field with its name and type, required unless it can be empty", async () => {
  const { choose, open, data } = renderStep(output([]));
  await open(/^body/);
  await choose(/^total/);
  await choose(/^paid/);
  await choose(/^amount/);
  await choose(/^note/);
  expect(data()?.properties).toEqual([
    { name: "total", type: "number", required: true, value: "{{call.body.total}}" },
    { name: "paid", type: "boolean", required: true, value: "{{call.body.paid}}" },
    { name: "amount", type: "integer", required: true, value: "{{action_input.amount}}" },
    { name: "note", type: "string", required: false, value: "{{action_input.note}}" },
  ]);
});

test("a value chosen twice gets a name that is still free", async () => {
  const { choose, data } = renderStep(output([{ name: "amount", type: "string", value: "5" }]));
  await choose(/^amount/);
  await choose(/^amount/);
  expect(data()?.properties).toMatchObject([{ name: "amount" }, { name: "amount_2" }, { name: "amount_3" }]);
});

test("a value chosen after a field was added goes into that field, and not into the one before", async () => {
  const { user, choose, data } = renderStep(output([{ name: "first", type: "string", required: true, value: "1" }]));
  await user.click(screen.getByRole("textbox", { name: "Value" }));
  await user.click(screen.getByRole("button", { name: "Add field" }));
  const list = screen.getByRole("region", { name: "Fields returned to the caller" });
  await expectFocus(itemBox(list, 2).getByRole("textbox", { name: "Name" }));
  await user.keyboard("second");
  await choose(/^note/);
  expect(data()?.properties).toMatchObject([
    { name: "first", value: "1" },
    { name: "second", value: "{{action_input.note}}" },
  ]);
});

test("a value chosen for a transform fills in the field that is still empty", async () => {
  const transform = testNode("shape", "transform", 0, 200, { fields: [{ name: "", value: "" }] });
  const { choose, data } = renderStep(transform);
  await choose(/^note/);
  expect(data()?.fields).toEqual([{ name: "note", value: "{{action_input.note}}" }]);
});

test("a value chosen for a code step becomes a named input", async () => {
  const code = testNode("code", "code", 0, 200, { source: "return input;", input: {} });
  const { choose, data } = renderStep(code);
  await choose(/^amount/);
  expect(data()?.input).toEqual({ amount: "{{action_input.amount}}" });
});

test("a viewer who chooses a value changes nothing", async () => {
  const { choose, data } = renderStep(output([]), true);
  await choose(/^amount/);
  expect(data()?.properties).toEqual([]);
});
