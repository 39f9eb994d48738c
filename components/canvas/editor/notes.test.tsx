import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { note, renderEditor, sampleNote } from "@/components/canvas/editor/render-editor.fixture";
import { expectAccessible, expectFocus } from "@/components/testing/render-page.fixture";

const textField = () => screen.findByRole("textbox", { name: /Note text/ });
const tools = () => screen.findByRole("toolbar", { name: "Note" });
const drawnNotes = () => screen.queryAllByLabelText(/^Note: /);

test("a note added from the toolbar is editable immediately, and Escape ends editing with the focus on the note", async () => {
  const { user } = await renderEditor();
  await user.click(screen.getByRole("button", { name: /Add a note/ }));
  await expectFocus(await textField());
  await user.keyboard("Ask Bea{Enter}before noon{Escape}");
  expect(screen.queryByRole("textbox", { name: /Note text/ })).toBeNull();
  await expectFocus(note("Ask Bea"));
  expect(note("Ask Bea").textContent).toContain("Ask Bea\nbefore noon");
});

test("Shift with N adds a note, and Delete removes the focused note", async () => {
  const { user } = await renderEditor();
  await user.keyboard("{Shift>}N{/Shift}");
  await expectFocus(await textField());
  await user.keyboard("Gone soon{Escape}");
  await expectFocus(note("Gone soon"));
  await user.keyboard("{Delete}");
  expect(drawnNotes()).toEqual([]);
});

test("continuous typing is one undo step", async () => {
  const { user } = await renderEditor({ notes: [sampleNote()] });
  fireEvent.doubleClick(note("Ask Bea"));
  await user.type(await textField(), " today");
  await user.keyboard("{Escape}");
  expect(note("Ask Bea today")).toBeDefined();
  await user.keyboard("{Control>}z{/Control}");
  expect(note("Ask Bea")).toBeDefined();
});

test("Enter on a selected note opens its text with the cursor at the end", async () => {
  const { user } = await renderEditor({ notes: [sampleNote()] });
  fireEvent.click(note("Ask Bea"));
  note("Ask Bea").focus();
  await user.keyboard("{Enter}");
  await expectFocus(await textField());
  await user.keyboard("?{Escape}");
  expect(note("Ask Bea?")).toBeDefined();
});

test("a selected note shows its tools, which name its current color", async () => {
  const { user, editor } = await renderEditor({ notes: [sampleNote({ color: "blue" })] });
  fireEvent.click(note("Ask Bea"));
  const bar = within(await tools());
  expect(bar.getByRole("button", { pressed: true, name: "Blue" })).toBeDefined();
  await user.click(bar.getByRole("button", { name: "Green" }));
  expect(bar.getByRole("button", { name: "Green" }).getAttribute("aria-pressed")).toBe("true");
  expect(bar.getByRole("button", { name: "Blue" }).getAttribute("aria-pressed")).toBe("false");
  expect(editor.getState().notes).toMatchObject([{ color: "green" }]);
  await expectAccessible(await tools());
});

test("the tools edit the text and delete the note, and undo restores it", async () => {
  const { user } = await renderEditor({ notes: [sampleNote()] });
  fireEvent.click(note("Ask Bea"));
  await user.click(within(await tools()).getByRole("button", { name: /^Edit/ }));
  await expectFocus(await textField());
  await user.keyboard("{Escape}");
  await user.click(within(await tools()).getByRole("button", { name: /^Delete/ }));
  expect(drawnNotes()).toEqual([]);
  await user.keyboard("{Control>}z{/Control}");
  expect(drawnNotes()).toHaveLength(1);
});

test("a note's tools are hidden while other elements are selected with it", async () => {
  const { user } = await renderEditor({ notes: [sampleNote()] });
  fireEvent.click(note("Ask Bea"));
  await tools();
  await user.keyboard("{Control>}a{/Control}");
  expect(screen.queryByRole("toolbar", { name: "Note" })).toBeNull();
});

test("arrow keys on the corner resize a note along the grid, down to the minimum size", async () => {
  const { user, editor } = await renderEditor({ notes: [sampleNote({ width: 120, height: 100 })] });
  const size = () => editor.getState().notes.map(({ width, height }) => ({ width, height }));
  screen.getByRole("button", { name: /Resize the note/ }).focus();
  await user.keyboard("{ArrowRight}{ArrowDown}");
  expect(size()).toEqual([{ width: 140, height: 120 }]);
  await user.keyboard("{ArrowLeft>6/}{ArrowUp>6/}");
  expect(size()).toEqual([{ width: LIMITS.noteSizeMin, height: LIMITS.noteSizeMin }]);
});

test("dragging the corner resizes the note once, when the pointer is released", async () => {
  const { user, editor } = await renderEditor({ notes: [sampleNote({ width: 200, height: 200 })] });
  const corner = screen.getByRole("button", { name: /Resize the note/ });
  const before = editor.getState().notes;
  fireEvent.pointerDown(corner, { clientX: 0, clientY: 0 });
  fireEvent.pointerMove(corner, { clientX: 60, clientY: 40 });
  expect(editor.getState().notes).toBe(before);
  fireEvent.pointerUp(corner, { clientX: 60, clientY: 40 });
  const [resized] = editor.getState().notes;
  expect([resized?.width, resized?.height]).not.toEqual([200, 200]);
  await user.keyboard("{Control>}z{/Control}");
  expect(editor.getState().notes).toEqual(before);
});

test("an interrupted drag of the corner keeps the size", async () => {
  const { editor } = await renderEditor({ notes: [sampleNote()] });
  const corner = screen.getByRole("button", { name: /Resize the note/ });
  const before = editor.getState().notes;
  fireEvent.pointerDown(corner, { clientX: 0, clientY: 0 });
  fireEvent.pointerMove(corner, { clientX: 60, clientY: 40 });
  fireEvent.pointerCancel(corner);
  fireEvent.pointerUp(corner, { clientX: 90, clientY: 90 });
  expect(editor.getState().notes).toBe(before);
});

test("a workflow with the maximum number of notes shows a message instead of adding one", async () => {
  const notes = Array.from({ length: LIMITS.canvasNotes }, (_, at) => sampleNote({ id: `note-${at}` }));
  const { user } = await renderEditor({ notes });
  await user.click(screen.getByRole("button", { name: /Add a note/ }));
  await screen.findByText(new RegExp(`${LIMITS.canvasNotes} notes`));
  expect(drawnNotes()).toHaveLength(LIMITS.canvasNotes);
});

test("a viewer can read notes but has no tools for them", async () => {
  await renderEditor({ isReadOnly: true, notes: [sampleNote()] });
  fireEvent.click(note("Ask Bea"));
  within(note("Ask Bea")).getByText("Ask Bea");
  expect(screen.queryByRole("toolbar", { name: "Note" })).toBeNull();
  expect(screen.queryByRole("button", { name: /Resize the note|Add a note/ })).toBeNull();
});
