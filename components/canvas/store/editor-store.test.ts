import { beforeEach, describe, expect, it } from "vitest";
import { editNodeData } from "@/components/canvas/document/edit-data";
import { branchingDefinition } from "@/components/canvas/document/test-definition";
import { insertNode } from "@/components/canvas/layout/insert-node";
import { createEditorStore, type EditorStore } from "@/components/canvas/store/editor-store";

describe("the editor", () => {
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

  it("keeps intermediate drag positions, selections and measured sizes out of the history", () => {
    editor().drag({ end: { x: 5, y: 5 } }, null);
    editor().measure({ end: { width: 280, height: 90 } });
    editor().select(["end"]);
    expect(undoSteps()).toBe(0);
  });

  it("remembers a hundred steps", () => {
    for (let step = 0; step < 130; step += 1) type(String(step), `field ${step}`);
    expect(undoSteps()).toBe(100);
  });

  it("changes nothing when read-only", () => {
    store = createEditorStore({ definition: branchingDefinition(), name: "Refunds", isReadOnly: true, now: () => now });
    const before = editor().definition;
    type("changed");
    editor().rename("changed");
    editor().openPicker({ spot: { kind: "free", position: { x: 0, y: 0 } }, anchor: { x: 0, y: 0 } });
    expect(editor().definition).toBe(before);
    expect(editor().name).toBe("Refunds");
    expect(editor().picker).toBeNull();
  });

  it("keeps the panel and the size when the selected node gets another id, and resets the panel for another node", () => {
    editor().select(["refund"]);
    editor().measure({ refund: { width: 280, height: 84 }, end: { width: 280, height: 60 } });
    const serial = editor().selectionSerial;
    editor().follow("refund", "pay");
    expect(editor().selectedNodeIds).toEqual(["pay"]);
    expect(editor().sizes).toEqual({ pay: { width: 280, height: 84 }, end: { width: 280, height: 60 } });
    expect(editor().selectionSerial).toBe(serial);
    editor().select(["end"]);
    expect(editor().selectionSerial).toBe(serial + 1);
  });

  it("keeps the place of the open picker when its node gets another id", () => {
    const anchor = { x: 0, y: 0 };
    editor().openPicker({ spot: { kind: "after", source: "refund", sourceHandle: "error" }, anchor });
    editor().follow("refund", "pay");
    expect(editor().picker).toEqual({ spot: { kind: "after", source: "pay", sourceHandle: "error" }, anchor });
    editor().openPicker({ spot: { kind: "inside", loopId: "each" }, anchor });
    editor().follow("pay", "refund");
    expect(editor().picker?.spot).toEqual({ kind: "inside", loopId: "each" });
    editor().follow("each", "order");
    expect(editor().picker?.spot).toEqual({ kind: "inside", loopId: "order" });
  });
});
