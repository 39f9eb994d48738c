import { screen, within } from "@testing-library/react";
import { act } from "react";
import { expect, test } from "vitest";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { eventually } from "#lib/support/eventually.fixture";
import { insertAt } from "@/components/canvas/actions/canvas-actions";
import { testNode } from "@/components/canvas/document/test-definition";
import { loadKindForms } from "@/components/canvas/kinds/load-kind-forms";
import { fillIn } from "@/components/canvas/kinds/render-form.fixture";
import { NodePanel } from "@/components/canvas/panel/node-panel";
import { renderCanvas } from "@/components/canvas/store/render-canvas.fixture";
import { expectAccessible, expectFocus } from "@/components/testing/render-page.fixture";

const FORMS = await loadKindForms();
const START = testNode("start", "action_input", 0, 0, { properties: [{ name: "amount", type: "number" }] });
const ASK = testNode("ask", "approval", 0, 200, { name: "Ask", message: "{{action_input.amount}}" });
const DELAY = testNode("wait", "delay", 0, 400, { name: "Wait", seconds: 5 });
const CALL = testNode("call", "code", 0, 600, { name: "Call", ...STEP_KINDS.code.newData() });

const renderPanel = (open: string, options: { isReadOnly?: boolean } = {}) =>
  renderCanvas((controls) => <NodePanel controls={controls} forms={FORMS} />, {
    nodes: [START, ASK, DELAY, CALL],
    open,
    ...options,
  });
const nodeOf = ({ editor }: ReturnType<typeof renderPanel>, id: string) =>
  editor.getState().definition.nodes.find((node) => node.id === id);

test("the panel shows the form of the step's kind and is named after the step", async () => {
  const { container } = renderPanel("ask");
  const panel = screen.getByRole("complementary", { name: "Settings for Ask" });
  within(panel).getByRole("textbox", { name: "Message" });
  await expectAccessible(container);
});

test("Enter applies the name, and Escape restores the previous one", async () => {
  const page = renderPanel("ask");
  const name = screen.getByRole("textbox", { name: "Step name" });
  await page.user.clear(name);
  await page.user.type(name, "Confirm{Enter}");
  expect(page.editor.getState().definition.nodes.some(({ data }) => data.name === "Confirm")).toBe(true);
  await page.user.clear(screen.getByRole("textbox", { name: "Step name" }));
  await page.user.type(screen.getByRole("textbox", { name: "Step name" }), "Other{Escape}");
  expect(screen.getByRole("textbox", { name: "Step name" })).toHaveProperty("value", "Confirm");
  screen.getByRole("complementary", { name: "Settings for Confirm" });
});

test("an empty name is rejected and the previous one stays", async () => {
  const page = renderPanel("ask");
  await page.user.clear(screen.getByRole("textbox", { name: "Step name" }));
  await page.user.tab();
  expect(nodeOf(page, "ask")?.data.name).toBe("Ask");
});

test("changing an id updates the expressions of other steps, and the panel stays open", async () => {
  const page = renderPanel("call");
  await page.user.click(screen.getByRole("button", { name: "Change ID" }));
  const id = screen.getByRole("textbox", { name: "Step ID" });
  await page.user.clear(id);
  await page.user.type(id, "wait");
  expect(screen.getByRole("button", { name: "Change" })).toHaveProperty("disabled", true);
  await page.user.clear(id);
  await page.user.type(id, "compute{Enter}");
  expect(nodeOf(page, "compute")?.data.name).toBe("Call");
  expect(page.editor.getState().definition.edges.map(({ target }) => target)).toContain("compute");
  screen.getByRole("complementary", { name: "Settings for Call" });
});

test("the entry step keeps the id that expressions use for it", () => {
  renderPanel("start");
  expect(screen.getByTestId("node-id").textContent).toBe("action_input");
  expect(screen.queryByRole("button", { name: "Change ID" })).toBeNull();
});

test("Escape closes the panel and returns the focus to the step", async () => {
  const { user, controls, editor } = renderPanel("ask");
  screen.getByRole("textbox", { name: "Message" }).focus();
  await user.keyboard("{Escape}");
  expect(editor.getState().isPanelOpen).toBe(false);
  expect(controls.focusNode).toHaveBeenCalledWith("ask");
});

test("only a step that can fail has a retries tab", async () => {
  renderPanel("ask");
  expect(screen.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual(["Setup", "Output"]);
});

test("any step that can fail can let the run continue, but only calls can be retried", async () => {
  const page = renderPanel("call");
  await page.user.click(screen.getByRole("tab", { name: "Retries & errors" }));
  await page.user.click(screen.getByRole("switch", { name: /^Continue when this step fails/ }));
  expect(nodeOf(page, "call")?.data.continueOnFailure).toBe(true);
  expect(screen.queryByRole("combobox", { name: "Retries" })).toBeNull();
  await page.user.click(screen.getByRole("switch", { name: /^Continue when this step fails/ }));
  expect(nodeOf(page, "call")?.data).not.toHaveProperty("continueOnFailure");
});

test("a clicked value of an earlier step goes into the last focused field", async () => {
  const page = renderPanel("ask");
  const message = screen.getByRole("textbox", { name: "Message" });
  await fillIn(page.user, message, "Refund ");
  const earlier = within(screen.getByRole("region", { name: "Data from earlier steps" }));
  await page.user.click(earlier.getByRole("treeitem", { name: /^amount/ }));
  expect(nodeOf(page, "ask")?.data.message).toBe("Refund {{action_input.amount}}");
  await expectFocus(message);
});

test("without a target field, a clicked value is copied", async () => {
  const { user } = renderPanel("ask");
  await user.click(screen.getByRole("treeitem", { name: /^amount/ }));
  expect(await navigator.clipboard.readText()).toBe("{{action_input.amount}}");
  await screen.findByText(/^Copied \{\{action_input\.amount\}\}/);
});

test("a connection can be removed and added in the list of next steps", async () => {
  const { user, editor } = renderPanel("ask");
  const pairs = () => editor.getState().definition.edges.map(({ source, target }) => `${source}-${target}`);
  const next = within(screen.getByRole("region", { name: "Next steps" }));
  const [connected] = next.getAllByRole("button", { name: /^Disconnect / });
  if (connected !== undefined) await user.click(connected);
  expect(pairs()).not.toContain("ask-wait");
  const [target] = next.getAllByRole("combobox");
  if (target !== undefined) await user.selectOptions(target, "Call");
  expect(pairs()).toContain("ask-call");
});

test("a next step can be opened from the list", async () => {
  const { user, editor } = renderPanel("wait");
  await user.click(within(screen.getByRole("region", { name: "Next steps" })).getByRole("button", { name: "Call" }));
  expect(editor.getState().selectedNodeIds).toEqual(["call"]);
});

test("the output tab lists the values that later steps can use", async () => {
  const { user } = renderPanel("start");
  await user.click(screen.getByRole("tab", { name: "Output" }));
  const output = within(screen.getByRole("region", { name: "Data for later steps" }));
  output.getByText("{{action_input.amount}}");
  await user.click(output.getByRole("button", { name: "Copy {{action_input.amount}}" }));
  expect(await navigator.clipboard.readText()).toBe("{{action_input.amount}}");
});

test("a step can be duplicated and deleted from the menu", async () => {
  const page = renderPanel("wait");
  async function chooseFromMenu(item: string) {
    // Until the panel has focused the form, it would take the focus from the menu.
    await eventually(() => expect(page.editor.getState().focusWish).toBeNull());
    await page.user.click(screen.getByRole("button", { name: "More" }));
    await page.user.click(await screen.findByRole("menuitem", { name: item }));
  }
  await chooseFromMenu("Duplicate");
  const delays = () => page.editor.getState().definition.nodes.filter(({ type }) => type === "delay");
  expect(delays()).toHaveLength(2);
  act(() => page.editor.getState().open("wait"));
  await chooseFromMenu("Delete step");
  expect(delays().map(({ id }) => id)).not.toContain("wait");
});

test("clicking a problem focuses its field", async () => {
  const { editor } = renderPanel("wait");
  act(() => editor.getState().open("wait", "seconds"));
  await eventually(() => expect(document.activeElement?.getAttribute("data-field")).toBe("seconds"));
});

test("a viewer sees the settings but no menu", () => {
  renderPanel("ask", { isReadOnly: true });
  const message = screen.getByRole("textbox", { name: "Message" });
  expect([message.getAttribute("aria-readonly"), message.getAttribute("contenteditable")]).toEqual(["true", "false"]);
  expect(screen.queryByRole("button", { name: "More" })).toBeNull();
  expect(screen.queryByRole("button", { name: /^Disconnect/ })).toBeNull();
});

test("a step that was just added gets the focus in its first empty field, and an open one in its first field", async () => {
  const page = renderPanel("wait");
  act(() => void insertAt(page.editor, { type: "transform" }, { kind: "free", position: { x: 0, y: 800 } }));
  await expectFocus(screen.getByRole("textbox", { name: "Name" }));
  act(() => page.editor.getState().open("ask"));
  await expectFocus(screen.getByRole("textbox", { name: "Message" }));
  act(() => page.editor.getState().open("transform"));
  await expectFocus(screen.getByRole("combobox", { name: "Result" }));
});
