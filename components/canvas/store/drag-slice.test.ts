import { expect, test } from "vitest";
import { openEditor } from "@/components/canvas/store/open-editor.fixture";

test("a drag shifts the cards on the screen and leaves document, undo, and other slices as they are", () => {
  const { editor, undoSteps } = openEditor();
  const before = editor();
  const { x, y } = before.definition.nodes.find(({ id }) => id === "end")?.position ?? { x: 0, y: 0 };
  editor().drag({ end: { x: x + 5, y: y - 3 } }, "each");
  editor().measure({ end: { width: 280, height: 90 } });
  expect(editor().dragOffsets).toEqual({ end: { x: 5, y: -3 } });
  expect(undoSteps()).toBe(0);
  editor().drag({}, null);
  expect(editor()).toEqual({ ...before, sizes: { end: { width: 280, height: 90 } } });
});
