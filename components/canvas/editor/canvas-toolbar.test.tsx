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

test("undo and redo are enabled only when there is something to undo or redo", async () => {
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

test("tidying arranges the steps below one another, as one undo step", async () => {
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

test("a drawing turns from left to right and back, each time as one undo step", async () => {
  const { user, editor } = await renderEditor();
  const drawing = () => {
    const { definition, orientation } = editor.getState();
    return { orientation, places: definition.nodes.map(({ position }) => position) };
  };
  const before = drawing();
  await user.click(button(/^Draw from left to right/));
  await eventually(() => expect(drawing().orientation).toBe("horizontal"));
  const [first, second, third] = drawing().places;
  expect([second?.y, third?.y]).toEqual([first?.y, first?.y]);
  expect(first?.x).toBeLessThan(second?.x ?? 0);
  expect(second?.x).toBeLessThan(third?.x ?? 0);
  await user.click(button(/^Undo/));
  expect(drawing()).toEqual(before);
  await user.keyboard("{Shift>}t{/Shift}");
  await eventually(() => expect(drawing().orientation).toBe("horizontal"));
  await user.click(button(/^Draw from top to bottom/));
  await eventually(() => expect(drawing().orientation).toBe("vertical"));
});

test("several steps and notes can be selected by tapping each, then duplicated and deleted without a keyboard", async () => {
  const { user, editor } = await renderEditor({ notes: [sampleNote()] });
  await user.click(button(/Select several/));
  const chosen = toolbar("Selected steps");
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

test("Escape ends selecting several", async () => {
  const { user } = await renderEditor();
  await user.click(button(/Select several/));
  fireEvent.click(card("Wait"));
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("toolbar", { name: "Selected steps" })).toBeNull();
});

test("a viewer can navigate, select and copy, but sees nothing that changes the drawing", async () => {
  const { user } = await renderEditor({ isReadOnly: true });
  const names = toolbar()
    .getAllByRole("button")
    .map((control) => control.getAttribute("aria-label"))
    .join(" ");
  expect(names).not.toMatch(/Add|Tidy|Draw|Undo|Redo|note/);
  await user.click(button(/Select several/));
  fireEvent.click(card("Wait"));
  const chosen = toolbar("Selected steps");
  expect(chosen.queryByRole("button", { name: /Duplicate|Delete/ })).toBeNull();
  await user.click(chosen.getByRole("button", { name: /^Copy/ }));
  expect(await navigator.clipboard.readText()).toContain('"Wait"');
});

test("the outline opens and closes with its button and with O, and the button shows whether it is open", async () => {
  const { user } = await renderEditor();
  await user.click(button(/^Outline/));
  await screen.findByRole("navigation", { name: /outline/ });
  expect(button(/^Outline/).getAttribute("aria-pressed")).toBe("true");
  await user.keyboard("o");
  expect(screen.queryByRole("navigation", { name: /outline/ })).toBeNull();
  expect(button(/^Outline/).getAttribute("aria-pressed")).toBe("false");
});

test("a step added from the toolbar without a selection goes between the last step and the output", async () => {
  const { user } = await renderEditor();
  await user.click(button(/^Add step/));
  await screen.findByRole("dialog", { name: "Add after Wait, before Finish" });
  await user.type(await screen.findByRole("combobox", { name: /Search/ }), "approval{Enter}");
  await eventually(() => expect(drawnSteps()).toHaveLength(4));
  expect(card("Approval").getAttribute("aria-label")).toMatch(/Connected from Wait/);
  expect(card("Finish").getAttribute("aria-label")).toMatch(/Connected from Approval/);
});

test("the button on a line adds the new step between the two steps that the line connects", async () => {
  const { user } = await renderEditor();
  await user.click(screen.getByRole("button", { name: /between Wait and Finish/ }));
  await user.type(await screen.findByRole("combobox", { name: /Search/ }), "approval{Enter}");
  await eventually(() => expect(drawnSteps()).toHaveLength(4));
  expect(card("Approval").getAttribute("aria-label")).toMatch(/Connected from Wait/);
  expect(card("Finish").getAttribute("aria-label")).toMatch(/Connected from Approval/);
});

test("an empty workflow can start as an action: input and output are added and connected, and the input is open", async () => {
  const { user, editor } = await renderEditor({ nodes: [] });
  expect(button(/^Tidy/)).toHaveProperty("disabled", true);
  await user.click(screen.getByRole("button", { name: /Action Input/ }));
  expect(editor.getState().definition.nodes.map(({ type }) => type)).toEqual(["action_input", "return_output"]);
  expect(editor.getState().definition.edges).toHaveLength(1);
  expect(await screen.findByRole("textbox", { name: "Step name" })).toHaveProperty("value", "Action Input");
  expect(screen.queryByRole("button", { name: /^Start with/ })).toBeNull();
});

test("an empty workflow can start with a trigger", async () => {
  const { user } = await renderEditor({
    nodes: [],
    prepare: (server) => server.answer("get_event_test", { test: null }),
  });
  await user.click(screen.getByRole("button", { name: /trigger/ }));
  await eventually(() => expect(drawnSteps()).toEqual(["Trigger"]));
  await user.click(button(/^Undo/));
  expect(screen.getByRole("button", { name: /Action Input/ })).toBeDefined();
});

test("an empty workflow offers a viewer no starting points", async () => {
  await renderEditor({ nodes: [], isReadOnly: true });
  screen.getByRole("heading", { name: /input/ });
  expect(screen.queryByRole("button", { name: /^Start with/ })).toBeNull();
});

test("a single note hides the starting points", async () => {
  await renderEditor({ nodes: [], notes: [sampleNote()] });
  expect(screen.queryByRole("button", { name: /^Start with/ })).toBeNull();
});
