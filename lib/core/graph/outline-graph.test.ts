import { expect, test } from "vitest";
import type { GraphNode, NodeType } from "#lib/contract/workflow/graph";
import { OUTLINE_BOXES_MAX, outlineGraph } from "#lib/core/graph/outline-graph";

const node = (id: string, type: NodeType, x: number, y: number, parentId?: string): GraphNode => ({
  id,
  type,
  position: { x, y },
  data: {},
  ...(parentId === undefined ? {} : { parentId }),
});

test("an outline consists of boxes in cells of 20 pixels from the upper left corner, and lines between them", () => {
  const nodes = [node("a", "action_input", -100, 40), node("b", "return_output", 240, 200)];
  expect(outlineGraph({ nodes, edges: [{ source: "a", target: "b" }] })).toEqual({
    width: 31,
    height: 13,
    boxes: [
      [0, 0, 14, 5, "input_output", false],
      [17, 8, 14, 5, "input_output", false],
    ],
    lines: [[0, 1]],
  });
  expect(outlineGraph({ nodes: [], edges: [] })).toEqual({ width: 0, height: 0, boxes: [], lines: [] });
});

test("a loop's frame comes first and encloses its contents, also inside another loop", () => {
  const nodes = [
    node("deep", "transform", 20, 40, "inner"),
    node("inner", "loop", 20, 40, "outer"),
    node("outer", "loop", 0, 0),
  ];
  expect(outlineGraph({ nodes, edges: [] }).boxes).toEqual([
    [1, 2, 16, 8, "logic", true],
    [0, 0, 18, 11, "logic", true],
    [2, 4, 14, 5, "data", false],
  ]);
});

test("an invalid draft from elsewhere is still drawn: loops that contain each other, lines to missing nodes", () => {
  const nodes = [node("a", "loop", 0, 0, "b"), node("b", "loop", 0, 0, "a"), node("c", "code", 0, 0, "nobody")];
  const { boxes, lines } = outlineGraph({ nodes: [...nodes, ...nodes], edges: [{ source: "a", target: "gone" }] });
  expect(boxes).toHaveLength(3);
  expect(lines).toEqual([]);
});

test("200 steps become at most 60 boxes, with small numbers and still connected from first to last", () => {
  const nodes = Array.from({ length: 200 }, (_, index) =>
    node(`n${index}`, "transform", (index % 4) * 320, Math.floor(index / 4) * 160),
  );
  const edges = nodes.slice(4).map(({ id }, index) => ({ source: `n${index}`, target: id }));
  const outline = outlineGraph({ nodes, edges });
  expect(outline.boxes.length).toBeGreaterThan(20);
  expect(outline.boxes.length).toBeLessThanOrEqual(OUTLINE_BOXES_MAX);
  expect(JSON.stringify(outline).length).toBeLessThan(3_000);
  const targets = new Set(outline.lines.map(([, to]) => to));
  expect(outline.boxes.filter((_, index) => !targets.has(index))).toHaveLength(2);
});
