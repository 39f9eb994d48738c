import { expect, test } from "vitest";
import { editNodeData } from "@/components/canvas/document/edit-data";
import { testNode } from "@/components/canvas/document/test-definition";
import { applyNodeChanges } from "@/components/canvas/editor/drawing/flow-changes";
import { openSession } from "@/components/canvas/store/open-session.fixture";

const HAND = { zoom: 1, isFree: false };
const LOW = 68;
const TALL = 97;

/** Opens three steps below one another, whose cards are measured, and returns what reports a new height of one. */
function openMeasured() {
  const { editor } = openSession([
    testNode("start", "action_input", 0, 0),
    testNode("call", "connector", 0, 130),
    testNode("end", "return_output", 0, 260),
  ]);
  const measure = (heights: Record<string, number>) => {
    const changes = Object.entries(heights).map(([id, height]) => {
      return { id, type: "dimensions" as const, dimensions: { width: 280, height } };
    });
    applyNodeChanges(editor, changes, HAND);
  };
  measure({ start: LOW, call: LOW, end: LOW });
  const tops = () => editor.getState().definition.nodes.map(({ position }) => position.y);
  const retry = () => {
    const { definition, edit } = editor.getState();
    edit(editNodeData(definition, "call", ["maxRetries"], 3));
  };
  return { editor, measure, tops, retry };
}

test("a card that grows by an edit pushes the next step, and one undo reverts both", () => {
  const { editor, measure, tops, retry } = openMeasured();
  retry();
  measure({ call: TALL });
  expect(tops()).toEqual([0, 130, 260 + TALL - LOW]);
  editor.getState().undo();
  measure({ call: LOW });
  expect(tops()).toEqual([0, 130, 260]);
  editor.getState().redo();
  measure({ call: TALL });
  expect(tops()).toEqual([0, 130, 260 + TALL - LOW]);
  expect(editor.temporal.getState().pastStates).toHaveLength(1);
});

test("a drawing that is only looked at, and one that another user changed, stay as they are", () => {
  const { editor, measure, tops, retry } = openMeasured();
  measure({ call: TALL });
  expect(tops()).toEqual([0, 130, 260]);
  measure({ call: LOW });
  retry();
  editor.getState().absorb((tracked) => tracked, "Theirs");
  measure({ call: TALL });
  expect(tops()).toEqual([0, 130, 260]);
});

test("a viewer's page moves nothing", () => {
  const { editor, measure, tops, retry } = openMeasured();
  retry();
  editor.setState({ isReadOnly: true });
  measure({ call: TALL });
  expect(tops()).toEqual([0, 130, 260]);
});
