import { expect, test } from "vitest";
import type { GraphOutline, OutlineBox } from "#lib/contract/workflow/workflow";
import { outlineGraph } from "#lib/core/graph/outline-graph";
import { foldOutline } from "@/components/canvas/view/fold-outline";

/** The size of a thumbnail in the list, in CSS pixels. */
const SHOWN = { width: 56, height: 32 };

function column(length: number, branches = 1): GraphOutline {
  const nodes = Array.from({ length }, (_, index) => ({
    id: `step_${index}`,
    type: index % 3 === 0 ? ("code" as const) : ("transform" as const),
    position: { x: 320 * (index % branches), y: 160 * Math.floor(index / branches) },
  }));
  const edges = nodes.slice(1).map(({ id }, index) => ({ source: `step_${index}`, target: id }));
  return outlineGraph({ nodes, edges });
}

const smallestBox = ({ width, height, boxes }: GraphOutline) => {
  const scale = Math.min(SHOWN.width / width, SHOWN.height / height);
  return {
    width: scale * Math.min(...boxes.map((box) => box[2])),
    height: scale * Math.min(...boxes.map((box) => box[3])),
  };
};

test.each([1, 2, 3])("each step of a long workflow with %i branches is visible in its thumbnail", (branches) => {
  for (let length = 3; length <= 60; length += 1) {
    const { width, height } = smallestBox(foldOutline(column(length, branches)));
    expect(width, `${length} steps`).toBeGreaterThan(3);
    expect(height, `${length} steps`).toBeGreaterThan(1.5);
  }
});

test("a thumbnail of a long or a large workflow fills its place", () => {
  for (const outline of [column(30), column(60), column(200, 4), column(500, 2)]) {
    const { width, height } = foldOutline(outline);
    expect(width / height).toBeGreaterThan(0.8);
    expect(width / height).toBeLessThan(3.5);
  }
});

test("folding keeps every card, and never covers one with another", () => {
  for (const outline of [column(17), column(60, 2)]) {
    const { boxes, lines } = foldOutline(outline);
    expect(boxes).toHaveLength(outline.boxes.length);
    expect(new Set(boxes.map(([x, y]) => `${x} ${y}`)).size).toBe(boxes.length);
    expect(lines.length).toBeGreaterThan(0);
  }
});

test("a small drawing keeps its shape, and the frame of a loop continues in the next column", () => {
  const small = column(3);
  expect(foldOutline(small)).toBe(small);
  const frame: OutlineBox = [0, 0, 16, 240, "logic", true];
  const { boxes } = column(30);
  const folded = foldOutline({ width: 16, height: 240, boxes: [frame, ...boxes], lines: [] });
  const frames = folded.boxes.filter((box) => box[5]);
  expect(frames.length).toBeGreaterThan(1);
  expect(frames.reduce((sum, box) => sum + box[3], 0)).toBe(240);
});
