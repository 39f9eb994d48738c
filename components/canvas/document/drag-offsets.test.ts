import { expect, test } from "vitest";
import { dragOffsets, isAnyGone, outermostPositions } from "@/components/canvas/document/drag-offsets";
import { testNode } from "@/components/canvas/document/test-definition";

const inside = (id: string, parentId: string, type: "transform" | "loop" = "transform") => ({
  ...testNode(id, type, 20, 40, {}),
  parentId,
});
const definition = {
  nodes: [
    testNode("start", "action_input", 0, 0, {}),
    testNode("outer", "loop", 0, 200, {}),
    inside("inner", "outer", "loop"),
    inside("deep", "inner"),
    inside("beside", "outer"),
  ],
  edges: [],
};
const notes = [
  { id: "note-a", text: "", color: "yellow" as const, position: { x: 100, y: 100 }, width: 240, height: 160 },
];

test("a dragged loop takes along everything inside it, and nothing else", () => {
  const offset = { x: 40, y: -20 };
  expect(dragOffsets({ definition, notes }, { outer: { x: 40, y: 180 } })).toEqual({
    outer: offset,
    inner: offset,
    deep: offset,
    beside: offset,
  });
});

test("steps and notes that are dragged together each move from their own position", () => {
  const positions = { start: { x: 20, y: 0 }, "note-a": { x: 120, y: 100 } };
  expect(dragOffsets({ definition, notes }, positions)).toEqual({ start: { x: 20, y: 0 }, "note-a": { x: 20, y: 0 } });
});

test("a step that is dragged together with its loop moves only once", () => {
  const positions = {
    outer: { x: 40, y: 180 },
    deep: { x: 60, y: 20 },
    start: { x: 40, y: -20 },
    "note-a": { x: 0, y: 0 },
  };
  const { deep: _inside, ...kept } = positions;
  expect(outermostPositions(definition, positions)).toEqual(kept);
  expect(outermostPositions(definition, { deep: positions.deep })).toEqual({ deep: positions.deep });
});

test("a drag notices that someone else deleted one of its steps or notes", () => {
  const positions = { deep: { x: 1, y: 1 }, "note-a": { x: 1, y: 1 } };
  expect(isAnyGone({ definition, notes }, positions)).toBe(false);
  expect(isAnyGone({ definition, notes: [] }, positions)).toBe(true);
  const nodes = definition.nodes.filter(({ id }) => id !== "deep");
  expect(isAnyGone({ definition: { nodes, edges: [] }, notes }, positions)).toBe(true);
});

test("a node that is no longer in the document does not move", () => {
  expect(dragOffsets({ definition, notes }, { gone: { x: 1, y: 1 } })).toEqual({});
});
