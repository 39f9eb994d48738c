import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { testNode } from "@/components/canvas/document/test-definition";
import { card, renderEditor } from "@/components/canvas/editor/render-editor.fixture";
import { openLinkedStep } from "@/components/canvas/editor/use-workspace-url";
import { expectAccessible, expectFocus } from "@/components/testing/render-page.fixture";
import { sampleRun } from "@/components/testing/run.fixture";

/** Makes the screen as wide as a test says. */
function setWidth(width: number) {
  vi.stubGlobal("matchMedia", (media: string) =>
    Object.assign(new EventTarget(), { media, matches: width >= Number(/\d+/.exec(media)?.[0]) }),
  );
  onTestFinished(() => window.history.replaceState(null, "", "/"));
}

const STEPS = [
  testNode("start", "action_input", 0, 0, { name: "Begin", properties: [{ name: "amount", type: "number" }] }),
  testNode("ask", "approval", 0, 200, { name: "Ask", message: "" }),
  testNode("end", "return_output", 0, 400, { name: "Finish", properties: [] }),
];

const workspace = (name: string) => screen.findByRole("region", { name: `Workspace for ${name}` });
const gone = () => eventually(() => expect(screen.queryByRole("region", { name: /^Workspace/ })).toBeNull());

test("Enter opens the step full size, and Escape returns to its card", async () => {
  setWidth(1700);
  const editor = await renderEditor({ nodes: STEPS });
  card("Ask").focus();
  await editor.user.keyboard("{Enter}");
  const opened = within(await workspace("Ask"));
  await expectFocus(opened.getByRole("textbox", { name: "Message" }));
  await editor.user.keyboard("{Escape}");
  await gone();
  await expectFocus(card("Ask"));
});

test("a double-click opens the step full size", async () => {
  setWidth(1700);
  await renderEditor({ nodes: STEPS });
  fireEvent.doubleClick(card("Ask"));
  await workspace("Ask");
});

test("on a wide screen, data, settings and output are side by side, and a value goes into the last field", async () => {
  setWidth(1700);
  const { editor, user } = await renderEditor({ nodes: STEPS });
  act(() => editor.getState().openFull("ask"));
  const opened = await workspace("Ask");
  within(opened).getByRole("region", { name: "Output of this step" });
  within(opened).getByRole("complementary", { name: "Settings for Ask" });
  const input = within(within(opened).getByRole("region", { name: "Input of this step" }));
  await expectFocus(within(opened).getByRole("textbox", { name: "Message" }));
  await user.click(input.getByRole("treeitem", { name: /^amount/ }));
  expect(editor.getState().definition.nodes[1]?.data.message).toBe("{{action_input.amount}}");
  await expectAccessible(opened);
});

test("on a laptop, data and output share the column next to the settings", async () => {
  setWidth(1280);
  const { editor, user } = await renderEditor({ nodes: STEPS });
  act(() => editor.getState().openFull("ask"));
  const opened = within(await workspace("Ask"));
  opened.getByRole("complementary", { name: "Settings for Ask" });
  opened.getByRole("tree", { name: "Data from earlier steps" });
  await user.click(opened.getByRole("tab", { name: "Output" }));
  opened.getByText("No result yet. Test the step to see its output.");
});

test("on a small screen, the output is a tab of the settings", async () => {
  setWidth(800);
  const { editor } = await renderEditor({ nodes: STEPS });
  act(() => editor.getState().openFull("ask"));
  const opened = within(await workspace("Ask"));
  expect(opened.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual(["Setup", "Output"]);
  opened.getByRole("tree", { name: "Data from earlier steps" });
});

test("the drawing behind the workspace can't be reached, and keys don't change it", async () => {
  setWidth(1700);
  const { editor, user } = await renderEditor({ nodes: STEPS });
  act(() => editor.getState().openFull("ask"));
  await workspace("Ask");
  expect(card("Ask").closest("[inert]")).not.toBeNull();
  screen.getByRole("button", { name: /^Next step/ }).focus();
  await user.keyboard("{Delete}n{ArrowDown}{Control>}d{/Control}");
  expect(editor.getState().definition.nodes).toHaveLength(3);
  expect(editor.getState().selectedNodeIds).toEqual(["ask"]);
  await user.keyboard("{Escape}");
  await gone();
  expect(card("Ask").closest("[inert]")).toBeNull();
});

test("the buttons and keys for the next and previous step stay in the workspace", async () => {
  setWidth(1700);
  const { editor, user } = await renderEditor({ nodes: STEPS });
  act(() => editor.getState().openFull("ask"));
  await workspace("Ask");
  const next = screen.getByRole("button", { name: "Next step: Finish" });
  await user.click(next);
  await workspace("Finish");
  expect(screen.getByRole("button", { name: "No step after this one" })).toHaveProperty("disabled", true);
  await user.keyboard("{Alt>}{PageUp}{/Alt}");
  await workspace("Ask");
  await expectFocus(screen.getByRole("textbox", { name: "Message" }));
  await user.keyboard("{Alt>}{PageUp}{/Alt}");
  await workspace("Begin");
});

test("F6 moves the focus between data, settings and output, and Shift+F6 back", async () => {
  setWidth(1700);
  const { editor, user } = await renderEditor({ nodes: STEPS });
  act(() => editor.getState().openFull("ask"));
  const opened = within(await workspace("Ask"));
  const field = opened.getByRole("textbox", { name: "Message" });
  await expectFocus(field);
  await user.keyboard("{F6}");
  await expectFocus(opened.getByRole("button", { name: /^Test this step/ }));
  await user.keyboard("{F6}");
  await expectFocus(opened.getByRole("treeitem", { name: /^action_input/ }));
  await user.keyboard("{Shift>}{F6}{F6}{/Shift}");
  await expectFocus(field);
});

test("the run shortcut tests the step, and its output is shown in the workspace instead of the test panel", async () => {
  setWidth(1280);
  const run = sampleRun({ steps: [] });
  const { editor, user, server, session } = await renderEditor({
    nodes: STEPS.map((node) => (node.id === "ask" ? { ...node, data: { ...node.data, message: "Ok?" } } : node)),
    prepare: (fake) => {
      fake.answer("test_workflow", run);
      fake.answer("get_run_status", run);
    },
  });
  act(() => editor.getState().openFull("ask"));
  await expectFocus(within(await workspace("Ask")).getByRole("textbox", { name: "Message" }));
  await user.keyboard("{Control>}{Enter}{/Control}");
  await eventually(() => expect(server.sent("test_workflow")).toMatchObject([{ until_step: "ask" }]));
  expect(session.tests.getState().isOpen).toBe(false);
  expect(screen.getByRole("tab", { name: "Output" }).getAttribute("aria-selected")).toBe("true");
});

test("why a test can't start is shown in the test panel", async () => {
  setWidth(1700);
  const { editor, user, session } = await renderEditor({
    nodes: STEPS,
    before: ({ tests }) => tests.getState().setTexts({ amount: "many" }, null),
  });
  act(() => editor.getState().openFull("ask"));
  await workspace("Ask");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await eventually(() => expect(session.tests.getState().isOpen).toBe(true));
});

test("the open workspace is in the address, a reload returns to it, and Back leaves it", async () => {
  setWidth(1700);
  const { editor } = await renderEditor({ nodes: STEPS });
  const before = window.history.length;
  act(() => editor.getState().openFull("ask"));
  expect(window.location.search).toBe("?node=ask&open=full");
  expect(window.history.length).toBe(before + 1);
  act(() => editor.getState().select(["end"]));
  expect(window.location.search).toBe("?node=end&open=full");
  expect(window.history.length).toBe(before + 1);
  act(() => editor.getState().closePanel());
  expect(window.location.search).toBe("");

  window.history.replaceState(null, "", "?tab=x&node=ask&open=full");
  act(() => openLinkedStep(editor));
  await workspace("Ask");
  act(() => {
    window.history.replaceState(null, "", "?tab=x");
    window.dispatchEvent(new PopStateEvent("popstate"));
  });
  await gone();
  expect(window.location.search).toBe("?tab=x");
});

test("a deleted step leaves the workspace", async () => {
  setWidth(1700);
  const { editor } = await renderEditor({ nodes: STEPS });
  act(() => editor.getState().openFull("ask"));
  await workspace("Ask");
  act(() => {
    const { definition, edit } = editor.getState();
    edit({ nodes: definition.nodes.filter(({ id }) => id !== "ask"), edges: [] }, { select: [] });
  });
  await gone();
  expect(card("Finish").closest("[inert]")).toBeNull();
});

test("a step that another user deletes leaves the workspace", async () => {
  setWidth(1700);
  const { editor } = await renderEditor({ nodes: STEPS });
  act(() => editor.getState().openFull("ask"));
  await workspace("Ask");
  act(() => {
    const { definition, edit } = editor.getState();
    edit({ nodes: definition.nodes.filter(({ id }) => id !== "ask"), edges: [] });
  });
  await gone();
  expect(card("Finish").closest("[inert]")).toBeNull();
  expect(window.location.search).toBe("");
});

test("the panel opens its step full size, and the workspace moves back into the panel", async () => {
  setWidth(1700);
  const { editor, user } = await renderEditor({ nodes: STEPS });
  act(() => editor.getState().open("ask"));
  await user.click(await screen.findByRole("button", { name: "Open full size" }));
  await workspace("Ask");
  await user.click(screen.getByRole("button", { name: "Show in the panel" }));
  await gone();
  await screen.findByRole("complementary", { name: "Settings for Ask" });
});
