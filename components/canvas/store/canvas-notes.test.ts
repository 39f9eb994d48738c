import { beforeEach, expect, test } from "vitest";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import {
  deleteSelection,
  dropSelection,
  duplicateSelection,
  nudgeSelection,
} from "@/components/canvas/actions/canvas-actions";
import { moveNotes } from "@/components/canvas/document/canvas-notes";
import { readClip } from "@/components/canvas/document/clip/read-clip";
import { writeClip } from "@/components/canvas/document/clip/step-clip";
import { branchingDefinition } from "@/components/canvas/document/test-definition";
import { projectNotes } from "@/components/canvas/editor/drawing/project-notes";
import { pasteNodes } from "@/components/canvas/layout/paste-nodes";
import { createEditorStore, type EditorStore } from "@/components/canvas/store/editor-store";

const note = (id: string, changes: Partial<CanvasNote> = {}): CanvasNote => ({
  id: `note-${id}`,
  text: "Ask Ada",
  color: "yellow",
  position: { x: 400, y: 0 },
  width: 240,
  height: 160,
  ...changes,
});

let now = 0;
let store: EditorStore;
const editor = () => store.getState();
const undoSteps = () => store.temporal.getState().pastStates.length;

beforeEach(() => {
  const notes = [note("a"), note("b")];
  store = createEditorStore({
    definition: branchingDefinition(),
    notes,
    name: "Noted",
    isReadOnly: false,
    now: () => now,
  });
});

test("steps and notes that are deleted together are restored together", () => {
  const before = editor();
  editor().select(["decline"], [], ["note-a"]);
  deleteSelection(store);
  expect(editor().notes).toEqual([note("b")]);
  expect(editor().definition.nodes.some(({ id }) => id === "decline")).toBe(false);
  expect(undoSteps()).toBe(1);
  editor().undo();
  expect(editor()).toMatchObject({ definition: before.definition, notes: before.notes });
  expect(editor().selectedNoteIds).toEqual(["note-a"]);
});

test("changing only notes keeps the same definition object", () => {
  const { definition } = editor();
  editor().select([], [], ["note-b"]);
  nudgeSelection(store, { columns: 1, rows: 0 });
  dropSelection(store, { "note-a": { x: 0, y: 500 } });
  deleteSelection(store);
  expect(editor().notes).toEqual([note("a", { position: { x: 0, y: 500 } })]);
  expect(editor().definition).toBe(definition);
});

test("one burst of typing is one undo step, and selecting another note ends it", () => {
  editor().writeNote("note-a");
  for (const text of ["A", "As", "Ask Bob"]) {
    now += 100;
    editor().editNotes([note("a", { text }), note("b")], "note-a.text");
  }
  expect(undoSteps()).toBe(1);
  expect(editor().isPanelOpen).toBe(false);
  editor().select(["decline"]);
  expect(editor().writtenNoteId).toBeNull();
});

test("a read-only user can't write notes", () => {
  store.setState({ isReadOnly: true });
  editor().writeNote("note-a");
  editor().editNotes([]);
  editor().select(["decline"], [], ["note-a"]);
  deleteSelection(store);
  duplicateSelection(store);
  const selected = { selectedNodeIds: ["decline"], selectedNoteIds: ["note-a"] };
  expect(editor()).toMatchObject({ writtenNoteId: null, notes: [note("a"), note("b")], ...selected });
});

test("pasted notes keep their position relative to the pasted steps, and get new ids", () => {
  const definition = branchingDefinition();
  const clip = readClip(writeClip(definition, ["decline"], "w1", [note("a", { position: { x: 480, y: 380 } })]));
  if (clip === null) throw new Error("no clip");
  const target = { workspaceId: "w1", at: { x: 2_000, y: 2_000 }, sizes: {}, newNoteId: () => "note-new" };
  const pasting = pasteNodes(clip, { definition, ...target, noteCount: 2 });
  const step = pasting?.definition.nodes.find(({ id }) => id === "decline_2");
  const x = (step?.position.x ?? 0) + 320;
  expect(pasting?.notes).toEqual([note("new", { position: { x, y: step?.position.y ?? 0 } })]);
  expect(pasteNodes(clip, { definition, ...target, noteCount: 50 })?.notes).toEqual([]);
  const alone = readClip(writeClip(definition, [], "w1", [note("a")]));
  if (alone === null) throw new Error("notes alone are a clip, too");
  expect(pasteNodes(alone, { definition, ...target, noteCount: 0 })?.definition).toBe(definition);
});

test("moving one note renders only that note", () => {
  const still = { notes: editor().notes, selectedNoteIds: [], writtenNoteId: null };
  const first = projectNotes(still, []);
  const moved = projectNotes({ ...still, notes: moveNotes(still.notes, { "note-b": { x: 1, y: 2 } }) }, first);
  expect(moved.map((node, at) => node === first[at])).toEqual([true, false]);
  expect(moved[1]?.position).toEqual({ x: 1, y: 2 });
  expect(first[0]).toMatchObject({ ariaLabel: "Note: Ask Ada", zIndex: -1 });
});
