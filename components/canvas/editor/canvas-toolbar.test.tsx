import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import {
  card,
  drawnSteps,
  note,
  renderEditor,
  sampleNote,
  selectedSteps,
} from "@/components/canvas/editor/render-editor.fixture";
import { expectAccessible } from "@/components/testing/render-page.fixture";

const toolbar = (name = "Canvas") => within(screen.getByRole("toolbar", { name }));
const button = (name: RegExp) => toolbar().getByRole("button", { name });
const areDisabled = (...names: RegExp[]) => names.map((name) => button(name).hasAttribute("disabled"));

test("undo and redo are offered only when there is something to take back or to do again", async () => {
  const { user, editor } = await renderEditor();
  expect(areDisabled(/^Undo/, /^Redo/)).toEqual([true, true]);
  act(() => {
    editor.getState().select(["wait"]);
    editor.getState().closePanel();
  });
  await user.keyboard("{Delete}");
  await user.click(button(/^Undo/));
  expect(drawnSteps()).toEqual(["Begin", "Wait", "Finish"]);
  expect(areDisabled(/^Undo/, /^Redo/)).toEqual([true, false]);
  await user.click(button(/^Redo/));
  expect(drawnSteps()).toEqual(["Begin", "Finish"]);
});

test("tidying lays the steps out one under another, and is one undo step", async () => {
  const { user, editor } = await renderEditor();
  const places = () => editor.getState().definition.nodes.map(({ position }) => position);
  act(() => {
    const { definition, edit } = editor.getState();
    edit({ ...definition, nodes: definition.nodes.map((node, at) => ({ ...node, position: { x: at * 17, y: 0 } })) });
  });
  const before = places();
  await user.click(button(/^Tidy/));
  await eventually(() => expect(places()).not.toEqual(before));
  const [first, second, third] = places();
  expect([second?.x, third?.x]).toEqual([first?.x, first?.x]);
  expect(first?.y).toBeLessThan(second?.y ?? 0);
  expect(second?.y).toBeLessThan(third?.y ?? 0);
  await user.click(button(/^Undo/));
  expect(places()).toEqual(before);
});

test("several steps and notes are chosen by a tap each, duplicated and deleted without a keyboard", async () => {
  const { user, editor } = await renderEditor({ notes: [sampleNote()] });
  await user.click(button(/Choose several/));
  const chosen = toolbar("Chosen steps");
  expect(chosen.getByRole("button", { name: /^Delete/ })).toHaveProperty("disabled", true);
  for (const drawn of [card("Wait"), card("Finish"), note("Ask Bea"), card("Finish")]) fireEvent.click(drawn);
  expect(chosen.getByRole("status").textContent).toMatch(/^2 /);
  expect(selectedSteps()).toEqual(["Wait"]);
  expect(editor.getState().isPanelOpen).toBe(false);
  await user.click(chosen.getByRole("button", { name: /^Duplicate/ }));
  expect(drawnSteps()).toHaveLength(4);
  expect(screen.getAllByLabelText(/^Note/)).toHaveLength(2);
  await user.click(chosen.getByRole("button", { name: /^Delete/ }));
  expect(drawnSteps()).toHaveLength(3);
  await expectAccessible(screen.getByRole("toolbar"));
  await user.click(chosen.getByRole("button", { name: /Done/ }));
  expect(button(/^Undo/)).toBeDefined();
});

test("Escape ends choosing several", async () => {
  const { user } = await renderEditor();
  await user.click(button(/Choose several/));
  fireEvent.click(card("Wait"));
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("toolbar", { name: "Chosen steps" })).toBeNull();
});

test("a viewer can look around, choose and copy, and is offered nothing that changes the drawing", async () => {
  const { user } = await renderEditor({ isReadOnly: true });
  const names = toolbar()
    .getAllByRole("button")
    .map((control) => control.getAttribute("aria-label"))
    .join(" ");
  expect(names).not.toMatch(/Add|Tidy|Undo|Redo|note/);
  await user.click(button(/Choose several/));
  fireEvent.click(card("Wait"));
  const chosen = toolbar("Chosen steps");
  expect(chosen.queryByRole("button", { name: /Duplicate|Delete/ })).toBeNull();
  await user.click(chosen.getByRole("button", { name: /^Copy/ }));
  expect(await navigator.clipboard.readText()).toContain('"Wait"');
});

test("the outline opens and closes by its button and by O, and the button says whether it is open", async () => {
  const { user } = await renderEditor();
  await user.click(button(/^Outline/));
  await screen.findByRole("navigation", { name: /Outline/ });
  expect(button(/^Outline/).getAttribute("aria-pressed")).toBe("true");
  await user.keyboard("o");
  expect(screen.queryByRole("navigation", { name: /Outline/ })).toBeNull();
  expect(button(/^Outline/).getAttribute("aria-pressed")).toBe("false");
});

test("adding a step from the toolbar with nothing selected leaves it unconnected", async () => {
  const { user } = await renderEditor();
  await user.click(button(/^Add step/));
  await user.type(await screen.findByRole("combobox", { name: /Search/ }), "approval{Enter}");
  await eventually(() => expect(drawnSteps()).toHaveLength(4));
  expect(card("Approval").getAttribute("aria-label")).not.toMatch(/Connected from/);
});

test("the button on a line puts the new step between the two that it connects", async () => {
  const { user } = await renderEditor();
  await user.click(screen.getByRole("button", { name: /between Wait and Finish/ }));
  await user.type(await screen.findByRole("combobox", { name: /Search/ }), "approval{Enter}");
  await eventually(() => expect(drawnSteps()).toHaveLength(4));
  expect(card("Approval").getAttribute("aria-label")).toMatch(/Connected from Wait/);
  expect(card("Finish").getAttribute("aria-label")).toMatch(/Connected from Approval/);
});

test("an empty workflow can start as an action: input and output are there, connected, and the input is open", async () => {
  const { user, editor } = await renderEditor({ nodes: [] });
  expect(button(/^Tidy/)).toHaveProperty("disabled", true);
  await user.click(screen.getByRole("button", { name: /Action Input/ }));
  expect(editor.getState().definition.nodes.map(({ type }) => type)).toEqual(["action_input", "return_output"]);
  expect(editor.getState().definition.edges).toHaveLength(1);
  expect(await screen.findByRole("textbox", { name: "Name of the step" })).toHaveProperty("value", "Action Input");
  expect(screen.queryByRole("button", { name: /^Start with/ })).toBeNull();
});

test("an empty workflow can start on a trigger", async () => {
  const { user } = await renderEditor({
    nodes: [],
    prepare: (server) => server.answer("get_event_test", { test: null }),
  });
  await user.click(screen.getByRole("button", { name: /trigger/ }));
  await eventually(() => expect(drawnSteps()).toEqual(["Trigger"]));
  await user.click(button(/^Undo/));
  expect(screen.getByRole("button", { name: /Action Input/ })).toBeDefined();
});

test("an empty workflow offers a viewer nothing to start with", async () => {
  await renderEditor({ nodes: [], isReadOnly: true });
  screen.getByRole("heading", { name: /input/ });
  expect(screen.queryByRole("button", { name: /^Start with/ })).toBeNull();
});

test("a note alone hides the starting points", async () => {
  await renderEditor({ nodes: [], notes: [sampleNote()] });
  expect(screen.queryByRole("button", { name: /^Start with/ })).toBeNull();
});
