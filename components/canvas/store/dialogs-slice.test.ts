import { expect, test } from "vitest";
import { openEditor } from "@/components/canvas/store/open-editor.fixture";

const anchor = { x: 0, y: 0 };

test("the open picker keeps its place when the step or loop of its spot gets another id", () => {
  const { editor } = openEditor();
  editor().openPicker({ spot: { kind: "inside", loopId: "each" }, anchor });
  editor().follow("pay", "refund");
  expect(editor().picker?.spot).toEqual({ kind: "inside", loopId: "each" });
  editor().follow("each", "order");
  expect(editor().picker?.spot).toEqual({ kind: "inside", loopId: "order" });
  editor().closePicker();
  expect(editor().picker).toBeNull();
});

test("a read-only user opens neither the picker nor the dialog that extracts steps", () => {
  const open = ({ isReadOnly }: { isReadOnly: boolean }) => {
    const { editor } = openEditor({ isReadOnly });
    editor().openPicker({ spot: { kind: "free", position: anchor }, anchor });
    editor().extract(true);
    return [editor().picker !== null, editor().isExtracting];
  };
  expect(open({ isReadOnly: false })).toEqual([true, true]);
  expect(open({ isReadOnly: true })).toEqual([false, false]);
});
