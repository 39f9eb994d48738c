import { expect, test, vi } from "vitest";
import { openEditor } from "@/components/canvas/store/open-editor.fixture";

test("selecting what is selected notifies no one", () => {
  const { store, editor } = openEditor();
  editor().select(["refund"]);
  const heard = vi.fn();
  store.subscribe(heard);
  editor().select(["refund"]);
  expect(heard).not.toHaveBeenCalled();
  editor().select(["refund", "end"]);
  expect(heard).toHaveBeenCalledTimes(1);
});

test("selections are not undo steps", () => {
  const { editor, undoSteps } = openEditor();
  editor().select(["end"]);
  editor().chooseSeveral(true);
  editor().toggleChosen("refund");
  expect(editor().selectedNodeIds).toEqual(["end", "refund"]);
  expect(undoSteps()).toBe(0);
});

test("another selection ends the editing of a note, and a read-only user edits none", () => {
  const { store, editor } = openEditor();
  editor().writeNote("note-a");
  expect(editor()).toMatchObject({ selectedNoteIds: ["note-a"], writtenNoteId: "note-a" });
  editor().select([], [], ["note-b"]);
  expect(editor().writtenNoteId).toBeNull();
  store.setState({ isReadOnly: true });
  editor().writeNote("note-a");
  expect(editor()).toMatchObject({ selectedNoteIds: ["note-a"], writtenNoteId: null });
});

test("a selected step that gets another id keeps its panel, its size, and the place of the open picker", () => {
  const { editor } = openEditor();
  editor().openFresh("refund");
  editor().leaveField("refund", "name");
  editor().measure({ refund: { width: 280, height: 84 }, end: { width: 280, height: 60 } });
  const anchor = { x: 0, y: 0 };
  editor().openPicker({ spot: { kind: "after", source: "refund", sourceHandle: "error" }, anchor });
  const serial = editor().selectionSerial;
  editor().follow("refund", "pay");
  expect(editor()).toMatchObject({
    selectedNodeIds: ["pay"],
    selectionSerial: serial,
    isPanelOpen: true,
    picker: { spot: { kind: "after", source: "pay", sourceHandle: "error" }, anchor },
  });
  expect(editor().freshNodes).toEqual({ pay: ["name"] });
  expect(editor().sizes).toEqual({ pay: { width: 280, height: 84 }, end: { width: 280, height: 60 } });
  editor().select(["end"]);
  expect(editor().selectionSerial).toBe(serial + 1);
});
