import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { testNode } from "@/components/canvas/document/test-definition";
import {
  card,
  drawnSteps,
  note,
  renderEditor,
  sampleNote,
  selectedSteps,
} from "@/components/canvas/editor/render-editor.fixture";
import { expectAccessible, expectFocus } from "@/components/testing/render-page.fixture";
import { sampleRun, sampleStep } from "@/components/testing/run.fixture";

type Editor = Awaited<ReturnType<typeof renderEditor>>;
const pane = () => screen.getByRole("region", { name: "Canvas" });
const message = async (words: RegExp) => (await screen.findByText(words)).closest("li") ?? document.body;
const line = () => screen.getByRole("img", { name: /from start to wait/ });

async function openMenu({ user }: Pick<Editor, "user">, target: Element): Promise<HTMLElement> {
  await user.pointer({ keys: "[MouseRight]", target });
  return screen.findByRole("menu", { name: "Drawing" });
}
const itemNames = (menu: HTMLElement) =>
  within(menu)
    .getAllByRole("menuitem")
    .map((item) => item.firstChild?.textContent);
const choose = ({ user }: Editor, name: RegExp) => user.click(screen.getByRole("menuitem", { name }));

test("a right click on a step selects it and opens its menu, without opening its panel", async () => {
  const editor = await renderEditor();
  const menu = await openMenu(editor, card("Wait"));
  expect(selectedSteps()).toEqual(["Wait"]);
  expect(screen.queryByRole("textbox", { name: "Step name" })).toBeNull();
  const names = itemNames(menu).join(" ");
  for (const deed of [/Open/, /Rename/, /Test/, /Run to/, /Pin/, /Copy/, /Cut/, /Duplicate/, /Delete/])
    expect(names).toMatch(deed);
  await expectAccessible(menu);
});

test("Escape closes the menu and returns the focus to the step it was opened on", async () => {
  const { user } = await renderEditor();
  card("Wait").focus();
  // Fires the event that a browser sends for Shift+F10.
  fireEvent.contextMenu(card("Wait"));
  await screen.findByRole("menu", { name: "Drawing" });
  await user.keyboard("{Escape}");
  await eventually(() => expect(screen.queryByRole("menu")).toBeNull());
  await expectFocus(card("Wait"));
});

test("arrow keys move through the menu, and Enter runs the chosen entry", async () => {
  const { user } = await renderEditor();
  card("Wait").focus();
  fireEvent.contextMenu(card("Wait"));
  await screen.findByRole("menu", { name: "Drawing" });
  await user.keyboard("{ArrowUp}");
  expect(document.activeElement?.textContent).toMatch(/^Delete/);
  await user.keyboard("{Enter}");
  await message(/deleted/);
  expect(drawnSteps()).toEqual(["Begin", "Finish"]);
});

test("deleting a step connects its neighbors, and the message offers to undo it", async () => {
  const editor = await renderEditor();
  await openMenu(editor, card("Wait"));
  await choose(editor, /^Delete/);
  expect(card("Finish").getAttribute("aria-label")).toMatch(/Connected from Begin/);
  await editor.user.click(within(await message(/deleted/)).getByRole("button", { name: "Undo" }));
  await eventually(() => expect(drawnSteps()).toEqual(["Begin", "Wait", "Finish"]));
});

test("the offer to undo a deletion ends with the next edit, which it would undo instead", async () => {
  const editor = await renderEditor();
  const { select, edit } = editor.editor.getState();
  act(() => select(["wait"]));
  fireEvent.keyDown(card("Wait"), { key: "Delete" });
  await message(/deleted/);
  const { definition } = editor.editor.getState();
  act(() =>
    edit({
      ...definition,
      nodes: definition.nodes.map((node) => ({ ...node, data: { ...node.data, name: "Other" } })),
    }),
  );
  await eventually(() => expect(screen.queryByText(/deleted/)).toBeNull());
});

test('"Open" shows the step\'s panel, and "Rename" focuses its name', async () => {
  const editor = await renderEditor();
  await openMenu(editor, card("Wait"));
  await choose(editor, /^Open/);
  const name = await screen.findByRole("textbox", { name: "Step name" });
  expect(name).toHaveProperty("value", "Wait");
  await openMenu(editor, card("Finish"));
  await choose(editor, /^Rename/);
  await eventually(() => {
    const field = screen.getByRole("textbox", { name: "Step name" });
    expect(field).toHaveProperty("value", "Finish");
    expect(document.activeElement).toBe(field);
  });
});

test('"Run to here" runs the draft up to that step', async () => {
  const editor = await renderEditor({
    prepare: (server) => {
      const run = sampleRun({ steps: [] });
      server.answer("test_workflow", run);
      server.answer("get_run_status", run);
    },
  });
  await openMenu(editor, card("Wait"));
  await choose(editor, /^Run to here/);
  await eventually(() =>
    expect(editor.server.sent("test_workflow")).toMatchObject([{ until_step: "wait", expected_revision: 1 }]),
  );
});

test('"Run to here" opens the test panel and focuses an invalid input', async () => {
  const properties = [{ name: "amount", type: "number", required: true }];
  const editor = await renderEditor({
    nodes: [
      testNode("start", "action_input", 0, 0, { properties }),
      testNode("wait", "delay", 0, 200, { name: "Wait" }),
    ],
    before: ({ tests }) => tests.getState().setTexts({ amount: "lots" }, null),
  });
  await openMenu(editor, card("Wait"));
  await choose(editor, /^Run to here/);
  const amount = await screen.findByLabelText(/^amount/);
  await expectFocus(amount);
  expect(amount.getAttribute("aria-invalid")).toBe("true");
  expect(editor.server.sent("test_workflow")).toEqual([]);
});

test("the first step can't be tested alone or pinned", async () => {
  const editor = await renderEditor();
  const menu = await openMenu(editor, card("Begin"));
  for (const deed of [/^Test this step/, /^Run from here/, /^Pin the output/])
    expect(within(menu).getByRole("menuitem", { name: deed }).getAttribute("aria-disabled")).toBe("true");
});

test("a test output can be pinned and unpinned", async () => {
  const waited = sampleStep({ step_id: "wait", name: "Wait", type: "delay", output: { waited: 5 } });
  const run = sampleRun({ steps: [waited] });
  const editor = await renderEditor({ prepare: (server) => server.answer("get_run_status", run) });
  act(() => editor.session.tests.getState().begin(run, null, ["start", "wait", "end"]));
  await eventually(() => expect(editor.session.tests.getState().results).toHaveProperty("wait"));
  await openMenu(editor, card("Wait"));
  await choose(editor, /^Pin the output/);
  within(card("Wait")).getByText("Pinned");
  await openMenu(editor, card("Wait"));
  await choose(editor, /^Unpin the output/);
  expect(within(card("Wait")).queryByText("Pinned")).toBeNull();
});

test("a right click on one of several selected steps keeps the selection, and the entry applies to all of them", async () => {
  const editor = await renderEditor();
  act(() => editor.editor.getState().select(["start", "wait"]));
  const menu = await openMenu(editor, card("Wait"));
  expect(selectedSteps()).toEqual(["Begin", "Wait"]);
  expect(itemNames(menu).join(" ")).not.toMatch(/Open|Rename/);
  await choose(editor, /^Delete/);
  expect(drawnSteps()).toEqual(["Finish"]);
});

test("a connection line can be deleted from its menu, and both steps stay", async () => {
  const editor = await renderEditor();
  await openMenu(editor, line());
  await choose(editor, /^Delete/);
  expect(screen.queryByRole("img", { name: /from start to wait/ })).toBeNull();
  expect(drawnSteps()).toEqual(["Begin", "Wait", "Finish"]);
});

test("a step is added at the right-clicked point, and its panel opens", async () => {
  const editor = await renderEditor();
  await openMenu(editor, pane());
  await choose(editor, /^Add a step/);
  await editor.user.type(await screen.findByRole("combobox", { name: /Search/ }), "approval{Enter}");
  expect(await screen.findByRole("textbox", { name: "Step name" })).toHaveProperty("value", "Approval");
  expect(drawnSteps()).toContain("Approval");
});

test("the canvas menu adds a note, and selects every step and note", async () => {
  const editor = await renderEditor();
  await openMenu(editor, pane());
  await choose(editor, /^Add a note/);
  await expectFocus(await screen.findByRole("textbox", { name: /Note text/ }));
  await openMenu(editor, pane());
  await choose(editor, /^Select all/);
  expect(selectedSteps()).toHaveLength(3);
  expect(note("Empty note").classList.contains("selected")).toBe(true);
});

test("steps cut from the menu of one drawing can be pasted from the canvas menu", async () => {
  const editor = await renderEditor();
  await openMenu(editor, card("Wait"));
  await choose(editor, /^Cut/);
  await eventually(() => expect(drawnSteps()).toEqual(["Begin", "Finish"]));
  await openMenu(editor, pane());
  await choose(editor, /^Paste/);
  await eventually(() => expect(drawnSteps()).toEqual(["Begin", "Finish", "Wait"]));
  expect(selectedSteps()).toEqual(["Wait"]);
});

test("pasting a text without steps shows a message and changes nothing", async () => {
  const editor = await renderEditor();
  await navigator.clipboard.writeText("just words");
  await openMenu(editor, pane());
  await choose(editor, /^Paste/);
  await screen.findByText(/no steps/);
  expect(drawnSteps()).toHaveLength(3);
});

test("when the browser blocks the clipboard, nothing is cut and a message names the keys", async () => {
  const editor = await renderEditor();
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new Error("denied"));
  await openMenu(editor, card("Wait"));
  await choose(editor, /^Cut/);
  await screen.findByText(/Press Ctrl\+X/);
  expect(drawnSteps()).toHaveLength(3);
});

test("a note can be edited, recolored and deleted from its menu", async () => {
  const editor = await renderEditor({ notes: [sampleNote()] });
  const menu = await openMenu(editor, note("Ask Bea"));
  expect(itemNames(menu).join(" ")).not.toMatch(/yellow/);
  await choose(editor, /blue/);
  expect(editor.editor.getState().notes).toMatchObject([{ color: "blue" }]);
  await openMenu(editor, note("Ask Bea"));
  await choose(editor, /^Edit/);
  await expectFocus(await screen.findByRole("textbox", { name: /Note text/ }));
  await openMenu(editor, note("Ask Bea"));
  await choose(editor, /^Delete/);
  expect(screen.queryByRole("group", { name: /^Note/ })).toBeNull();
});

test("a viewer's menus change nothing: they open and copy steps, select all, and fit the view", async () => {
  const editor = await renderEditor({ isReadOnly: true });
  expect(itemNames(await openMenu(editor, card("Wait")))).toEqual(["Open", "Copy"]);
  await editor.user.keyboard("{Escape}");
  expect(itemNames(await openMenu(editor, pane()))).toEqual(["Select all", "Fit to view"]);
  await editor.user.keyboard("{Escape}");
  const menu = await openMenu(editor, line());
  expect(within(menu).getByRole("menuitem").getAttribute("aria-disabled")).toBe("true");
});

test("a right click in the text of a note opens the browser's menu", async () => {
  await renderEditor({ notes: [sampleNote()] });
  fireEvent.doubleClick(note("Ask Bea"));
  expect(fireEvent.contextMenu(screen.getByRole("textbox", { name: /Note text/ }))).toBe(true);
  expect(screen.queryByRole("menu")).toBeNull();
  expect(fireEvent.contextMenu(card("Wait"))).toBe(false);
});
