import { expect, test } from "vitest";
import { branchingDefinition } from "@/components/canvas/document/test-definition";
import { openEditor } from "@/components/canvas/store/open-editor.fixture";

test("an edit that replaces the document by itself is no undo step", () => {
  const { editor, undoSteps } = openEditor();
  editor().edit(editor().definition, { notes: editor().notes, select: ["end"] });
  expect([undoSteps(), editor().selectedNodeIds]).toEqual([0, []]);
});

test("an edit selects the named steps, and undo restores definition, notes, and direction but not the name", () => {
  const { editor, undoSteps } = openEditor();
  const { definition, notes } = editor();
  editor().rename("Payments");
  editor().edit(branchingDefinition(), { notes: [], orientation: "horizontal", select: ["end"] });
  expect([undoSteps(), editor().selectedNodeIds]).toEqual([1, ["end"]]);
  editor().undo();
  expect(editor()).toMatchObject({ orientation: "vertical", name: "Payments" });
  expect(editor().definition).toBe(definition);
  expect(editor().notes).toBe(notes);
});

test("a read-only user changes neither the document nor its name", () => {
  const { editor } = openEditor({ isReadOnly: true });
  const { definition, notes } = editor();
  editor().edit(branchingDefinition());
  editor().editNotes([]);
  editor().rename("changed");
  expect(editor().definition).toBe(definition);
  expect(editor().notes).toBe(notes);
  expect(editor().name).toBe("Refunds");
});
