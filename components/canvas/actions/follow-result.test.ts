import { expect, test } from "vitest";
import type { NodeType } from "#lib/contract/workflow/graph";
import { insertAt } from "@/components/canvas/actions/canvas-actions";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";
import { testNode } from "@/components/canvas/document/test-definition";
import { openSession } from "@/components/canvas/store/open-session.fixture";

const INSIDE: InsertSpot = { kind: "inside", loopId: "each" };
const after = (source: string): InsertSpot => ({ kind: "after", source, sourceHandle: null });

/** Adds steps to an empty loop and returns what each iteration results in. */
function resultAfter(added: readonly [NodeType, InsertSpot][], data = {}): unknown {
  const { editor } = openSession([testNode("each", "loop", 0, 0, { items: "", concurrency: 1, ...data })]);
  for (const [type, spot] of added) insertAt(editor, { type }, spot);
  return editor.getState().definition.nodes.find(({ id }) => id === "each")?.data.result;
}

test("the output of the first step in a loop becomes the result of each iteration", () => {
  expect(resultAfter([["code", INSIDE]])).toBe("{{code}}");
});

test("a step added at the end of the loop becomes the result, and a step added next to it does not", () => {
  expect(
    resultAfter([
      ["code", INSIDE],
      ["transform", after("code")],
    ]),
  ).toBe("{{transform}}");
  expect(
    resultAfter([
      ["code", INSIDE],
      ["transform", INSIDE],
    ]),
  ).toBe("{{code}}");
});

test("a step that is not added for its output is no result", () => {
  expect(resultAfter([["condition", INSIDE]])).toBeUndefined();
});

test("a result that the user has set stays", () => {
  expect(resultAfter([["code", INSIDE]], { result: "{{each.item}}" })).toBe("{{each.item}}");
  expect(
    resultAfter([
      ["code", INSIDE],
      ["code", { kind: "after", source: "code", sourceHandle: "failed" }],
    ]),
  ).toBe("{{code}}");
});
