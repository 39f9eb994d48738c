import { beforeEach, describe, expect, it } from "vitest";
import { editNodeData } from "@/components/canvas/document/edit-data";
import { branchingDefinition } from "@/components/canvas/document/test-definition";
import { insertNode } from "@/components/canvas/layout/insert-node";
import { createEditorStore, type EditorStore } from "@/components/canvas/store/editor-store";

describe("the history of the editor", () => {
  let now = 0;
  let store: EditorStore;
  beforeEach(() => {
    now = 1_000;
    store = createEditorStore({
      definition: branchingDefinition(),
      name: "Refunds",
      isReadOnly: false,
      now: () => now,
    });
  });
  const editor = () => store.getState();
  const undoSteps = () => store.temporal.getState().pastStates.length;
  const type = (text: string, burst = "decline.fields.0.name") =>
    editor().edit(editNodeData(editor().definition, "decline", ["fields", 0, "name"], text), { burst });
  const typed = () => editor().definition.nodes[3]?.data.fields;

  it("undoes and redoes changes to the document, and selects the changed nodes", () => {
    const before = editor().definition;
    const { definition, nodeId } = insertNode(
      before,
      { type: "transform" },
      { kind: "free", position: { x: 900, y: 0 } },
      {},
    );
    editor().edit(definition, { select: [nodeId] });
    expect(editor().selectedNodeIds).toEqual([nodeId]);
    editor().undo();
    expect(editor().definition).toBe(before);
    expect(editor().selectedNodeIds).toEqual([]);
    editor().redo();
    expect(editor().definition).toBe(definition);
    expect(editor().selectedNodeIds).toEqual([nodeId]);
  });

  it("counts one burst of typing in one field as one undo step", () => {
    for (const text of ["a", "ab", "abc"]) {
      type(text);
      now += 100;
    }
    expect(undoSteps()).toBe(1);
    now += 1_000;
    type("abcd");
    expect(undoSteps()).toBe(2);
    type("x", "another field");
    expect(undoSteps()).toBe(3);
    editor().undo();
    editor().undo();
    expect(typed()).toMatchObject([{ name: "abc" }]);
    editor().undo();
    expect(typed()).toMatchObject([{ name: "ok" }]);
  });

  it("counts an edit as one undo step, however long the user types in the field", () => {
    editor().typeIn({ nodeId: "decline", field: "fields.0.name" });
    for (const text of ["a", "ab", "abc"]) {
      type(text);
      now += 5_000;
    }
    expect(undoSteps()).toBe(1);
    editor().typeIn(null);
    type("abcd");
    expect(undoSteps()).toBe(2);
    editor().undo();
    editor().undo();
    expect(typed()).toMatchObject([{ name: "ok" }]);
  });

  it("keeps no undo step for a field that is back at what it was", () => {
    const before = editor().definition;
    editor().typeIn({ nodeId: "decline", field: "fields.0.name" });
    for (const text of ["a", "ab", "a", "ok"]) type(text);
    expect(undoSteps()).toBe(0);
    expect(editor().definition).toBe(before);
    type("again");
    expect(undoSteps()).toBe(1);
    editor().undo();
    expect(editor().definition).toBe(before);
  });

  it("remembers a hundred steps", () => {
    for (let step = 0; step < 130; step += 1) type(String(step), `field ${step}`);
    expect(undoSteps()).toBe(100);
  });
});
