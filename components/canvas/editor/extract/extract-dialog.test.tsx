import { act, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { eventually } from "#lib/support/eventually.fixture";
import { testNode } from "@/components/canvas/document/test-definition";
import { card, drawnSteps, renderEditor } from "@/components/canvas/editor/render-editor.fixture";
import { expectAccessible } from "@/components/testing/render-page.fixture";

const STEPS: readonly GraphNode[] = [
  testNode("start", "action_input", 0, 0, {
    name: "Begin",
    properties: [{ name: "amount", type: "number", required: true }],
  }),
  testNode("net", "transform", 0, 200, { name: "Net", fields: [{ name: "value", value: "{{action_input.amount}}" }] }),
  testNode("end", "return_output", 0, 400, {
    name: "Finish",
    properties: [{ name: "total", type: "number", value: "{{net.value}}" }],
  }),
];
const ID = "018f2f6e-0000-7000-8000-000000000009";

async function openDialog(id: string) {
  const page = await renderEditor({
    nodes: STEPS,
    prepare: (server) => {
      server.answer("create_sub_workflow", ({ publish }) => ({ workflow_id: ID, published: publish }));
      server.answer("list_actions", { data: [], has_more: false, next_cursor: null });
    },
  });
  act(() => {
    page.editor.getState().select([id]);
    page.editor.getState().closePanel();
  });
  await page.user.pointer({
    keys: "[MouseRight]",
    target: card(STEPS.find((node) => node.id === id)?.data.name as string),
  });
  await page.user.click(await screen.findByRole("menuitem", { name: /Extract as sub-workflow/ }));
  return { ...page, dialog: await screen.findByRole("dialog") };
}

test("extracting shows the input and output, sends one request, and puts one step in the place that one undo reverts", async () => {
  const { dialog, user, editor, server } = await openDialog("net");
  await expectAccessible(dialog);
  within(dialog).getByText("amount");
  within(dialog).getByText("{{net.value}}");
  await user.type(within(dialog).getByRole("textbox", { name: /Name/ }), "Net price");
  await user.type(within(dialog).getByRole("textbox", { name: /Slug/ }), "net-price");
  await user.click(within(dialog).getByRole("button", { name: "Extract and publish" }));
  await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
  const [sent] = server.sent("create_sub_workflow");
  expect(sent).toMatchObject({ name: "Net price", slug: "net-price", publish: true });
  expect(sent?.definition.nodes.map(({ id }) => id)).toEqual(["start", "net", "result"]);
  const { nodes } = editor.getState().definition;
  expect(nodes.map(({ id }) => id)).toEqual(["start", "net_price", "end"]);
  expect(nodes[1]?.data).toEqual({
    name: "Net price",
    action_slug: "net-price",
    input: { amount: "{{action_input.amount}}" },
  });
  act(() => editor.getState().undo());
  expect(editor.getState().definition.nodes).toEqual(STEPS);
});

test("without publishing, the dialog and the message say that the step fails until someone publishes it", async () => {
  const { dialog, user } = await openDialog("net");
  within(dialog).getByText(/fails at that step until someone publishes it/);
  await user.type(within(dialog).getByRole("textbox", { name: /Name/ }), "Net price");
  await user.type(within(dialog).getByRole("textbox", { name: /Slug/ }), "net-price");
  await user.click(within(dialog).getByRole("checkbox", { name: "Publish it now" }));
  await user.click(within(dialog).getByRole("button", { name: "Extract as a draft" }));
  await screen.findByText(/Net price is a draft. Publish it as net-price/);
});

test("a selection that can't be extracted is refused with the reason, and nothing changes", async () => {
  const { dialog, user, server } = await openDialog("end");
  within(dialog).getByText(/"Finish" ends this workflow/);
  await user.click(within(dialog).getByRole("button", { name: "Back to the canvas" }));
  await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(drawnSteps()).toEqual(["Begin", "Net", "Finish"]);
  expect(server.sent("create_sub_workflow")).toEqual([]);
});

test("copying steps to a new workflow changes nothing here, and makes what they read an input there", async () => {
  const { user, editor, server } = await renderEditor({
    nodes: STEPS,
    prepare: (fake) => fake.refuse("create_workflow", { code: "BAD_REQUEST", message: "Stop here." }),
  });
  act(() => {
    editor.getState().select(["net"]);
    editor.getState().closePanel();
  });
  await user.pointer({ keys: "[MouseRight]", target: card("Net") });
  await user.click(await screen.findByRole("menuitem", { name: "Copy to a new workflow" }));
  await screen.findByText("Stop here.");
  expect(server.sent("create_workflow")[0]?.definition?.nodes.map(({ type }) => type)).toEqual([
    "action_input",
    "transform",
    "return_output",
  ]);
  expect(editor.getState().definition.nodes).toEqual(STEPS);
});
