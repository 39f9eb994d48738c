import { describe, expect, test } from "vitest";
import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition } from "#lib/contract/workflow/graph";
import { seededRandom } from "#lib/support/seeded-random.fixture";
import { framesOf } from "@/components/canvas/document/frames";
import { testEdge, testNode } from "@/components/canvas/document/test-definition";
import { drawLines } from "@/components/canvas/layout/draw-lines";
import { findFaults } from "@/components/canvas/layout/find-faults.fixture";
import { generateGraph } from "@/components/canvas/layout/generate-graph.fixture";
import { dropNodes } from "@/components/canvas/layout/move-across";
import { nodeSize } from "@/components/canvas/layout/node-size";
import { redrawLine } from "@/components/canvas/layout/redraw-line";
import { tidyLayout } from "@/components/canvas/layout/tidy";

const GRAPHS = 300;
const STEPS_MAX = 30;
const MOVES = 4;
/** Less room than this between two cards is not enough for every line. */
const ROOM = 32;

/** A tidied workflow whose steps were then dragged somewhere else. */
function moveByHand(seed: number, orientation: Orientation): Definition {
  const random = seededRandom(seed);
  const far = () => 20 * (random.below(40) - 20);
  let graph = tidyLayout(generateGraph(seed, STEPS_MAX), {}, orientation);
  for (let move = 0; move < MOVES; move += 1) {
    const { id, position } = random.pick(graph.nodes);
    const place = { x: position.x + far(), y: position.y + far() };
    graph = dropNodes(graph, { [id]: place }, { sizes: {}, orientation }).definition;
  }
  return graph;
}

function hasRoom(definition: Definition, orientation: Orientation): boolean {
  return [...framesOf(definition).bodyOf.values()].every((body) => {
    const boxes = body.map((node) => ({ ...node.position, ...nodeSize(definition, node, {}, orientation) }));
    return boxes.every((a, index) =>
      boxes
        .slice(index + 1)
        .every(
          (b) =>
            a.x >= b.x + b.width + ROOM ||
            b.x >= a.x + a.width + ROOM ||
            a.y >= b.y + b.height + ROOM ||
            b.y >= a.y + a.height + ROOM,
        ),
    );
  });
}

describe.each(["vertical", "horizontal"] as const)("in a %s drawing", (orientation) => {
  test("no line of a step that was moved by hand passes behind a card", () => {
    let checked = 0;
    for (let seed = 0; seed < GRAPHS; seed += 1) {
      const graph = moveByHand(seed, orientation);
      if (!hasRoom(graph, orientation)) continue;
      checked += 1;
      const behind = findFaults(graph, orientation).filter((fault) => fault.includes("passes behind"));
      expect(behind, `seed ${seed}`).toEqual([]);
    }
    expect(checked).toBeGreaterThan(50);
  });
});

const CROWD: Definition = {
  nodes: [
    testNode("start", "action_input", 0, 0),
    testNode("between", "transform", 0, 200),
    testNode("end", "return_output", 400, 400),
  ],
  edges: [testEdge("start", "end")],
};

describe("during a drag", () => {
  const view = { sizes: {}, orientation: "vertical" } as const;

  test("the line of the dragged step goes around the cards between its ends", () => {
    const [line] = drawLines(CROWD, view).values();
    if (line === undefined) throw new Error("no line");
    const dragOffsets = { end: { x: -400, y: 0 } };
    const { points, add } = redrawLine({ ...view, definition: CROWD, dragOffsets }, "start-end", line);
    expect(points[0]).toEqual(line.points[0]);
    expect(points.at(-1)).toEqual({ x: (line.points.at(-1)?.x ?? 0) - 400, y: line.points.at(-1)?.y });
    const upright = points.filter((point, index) => point.x === points[index + 1]?.x && point.y < 200);
    expect(upright.some(({ x }) => x < 0 || x > 280)).toBe(true);
    expect(add).toBeNull();
  });

  test("the line between two steps that are dragged together keeps its course", () => {
    const [line] = drawLines(CROWD, view).values();
    if (line === undefined) throw new Error("no line");
    const by = { x: 60, y: -20 };
    const moved = redrawLine({ ...view, definition: CROWD, dragOffsets: { start: by, end: by } }, "start-end", line);
    expect(moved.points).toEqual(line.points.map(({ x, y }) => ({ x: x + 60, y: y - 20 })));
  });
});
