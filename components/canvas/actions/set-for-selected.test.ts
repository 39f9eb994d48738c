import { expect, test } from "vitest";
import { choicesFor, setForSelected } from "@/components/canvas/actions/set-for-selected";
import { testNode } from "@/components/canvas/document/test-definition";
import { openSession } from "@/components/canvas/store/open-session.fixture";

const NODES = [
  testNode("start", "action_input", 0, 0, { properties: [] }),
  testNode("call", "connector", 0, 200, { connector: "http", operation: "request", params: {}, maxRetries: 2 }),
  testNode("shape", "transform", 0, 400, { fields: [] }),
  testNode("end", "return_output", 0, 600, { properties: [] }),
];
const labelsFor = (...ids: string[]) => choicesFor({ nodes: NODES, edges: [] }, ids).map(({ label }) => label);

test("several selected steps offer what would change one of them, and a single step offers nothing", () => {
  expect(labelsFor("call", "shape")).toEqual(["Retry up to 5 times", "Don't retry", "Continue on failure"]);
  expect(labelsFor("call")).toEqual([]);
  expect(labelsFor("start", "end")).toEqual([]);
});

test("a setting changes every selected step that has it, and one undo restores them", () => {
  const { editor } = openSession(NODES);
  const dataOf = () => editor.getState().definition.nodes.map(({ data }) => data);
  const before = dataOf();
  editor.getState().select(["start", "call", "shape", "end"]);
  for (const label of ["Retry up to 5 times", "Continue on failure"]) {
    const choice = choicesFor(editor.getState().definition, editor.getState().selectedNodeIds).find(
      (one) => one.label === label,
    );
    if (choice !== undefined) setForSelected(editor, choice);
  }
  expect(dataOf()).toEqual([
    before[0],
    { ...before[1], maxRetries: 5, continueOnFailure: true },
    { ...before[2], continueOnFailure: true },
    before[3],
  ]);
  editor.getState().undo();
  editor.getState().undo();
  expect(dataOf()).toEqual(before);
});
