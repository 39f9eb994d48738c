import { describe, expect, it } from "vitest";
import type { Definition } from "#lib/contract/graph";
import { testEdge, testNode } from "@/components/canvas/document/test-definition";
import { type Projection, projectDefinition } from "@/components/canvas/editor/project-definition";
import { analyse } from "@/components/canvas/store/analysis";

/** start > each[a > b] > end, the body listed before its loop. */
const definition: Definition = {
  nodes: [
    { ...testNode("a", "transform", 20, 40, { name: "A" }), parentId: "each" },
    { ...testNode("b", "transform", 20, 200, { name: "B" }), parentId: "each" },
    testNode("start", "action_input", 0, 0, { properties: [] }),
    testNode("each", "loop", -20, 160, { name: "Each", items: [1] }),
    testNode("end", "return_output", 0, 600, { properties: [] }),
  ],
  edges: [testEdge("start", "each"), testEdge("a", "b"), testEdge("each", "end")],
};
const sizes = Object.fromEntries(definition.nodes.map(({ id }) => [id, { width: 280, height: 80 }]));

interface View {
  dragPositions?: Record<string, { x: number; y: number }>;
  dropFrame?: string | null;
}

function project(last: Projection | null, view: View = {}): Projection {
  const analysis = analyse(definition);
  const still = { selectedNodeIds: [], selectedEdgeIds: [], dragPositions: {}, dropFrame: null, typingIn: null };
  return projectDefinition({ definition, analysis, ...still, sizes, isReadOnly: false, ...view }, last);
}

const changed = (before: Projection, after: Projection) =>
  after.nodes.filter((node) => !before.nodes.includes(node)).map((node) => node.id);
const nodeOf = ({ nodes }: Projection, id: string) => nodes.find((node) => node.id === id);

describe("the document as React Flow draws it", () => {
  it("has every frame before what stands in it, places counted from the frame, and the frame's own size", () => {
    const first = project(null);
    expect(first.nodes.map((node) => node.id)).toEqual(["start", "each", "end", "a", "b"]);
    expect(nodeOf(first, "b")).toMatchObject({ parentId: "each", position: { x: 20, y: 200 } });
    expect(nodeOf(first, "each")).toMatchObject({ type: "loop", width: 320, height: 340 });
  });

  it.each([
    { dragged: "b", why: "a card inside a loop" },
    { dragged: "end", why: "a card of the workflow" },
    { dragged: "each", why: "a whole loop" },
  ])("changes one node while $why is dragged, and no edge", ({ dragged }) => {
    const first = project(null);
    const second = project(first, { dragPositions: { [dragged]: { x: 500, y: 500 } } });
    expect(changed(first, second)).toEqual([dragged]);
    expect(second.edges.every((edge, index) => edge === first.edges[index])).toBe(true);
    const third = project(second, { dragPositions: { [dragged]: { x: 520, y: 500 } } });
    expect(changed(second, third)).toEqual([dragged]);
  });

  it("shows the loop a drag would drop into, and changes nothing else for it", () => {
    const first = project(null, { dragPositions: { end: { x: 0, y: 300 } } });
    const second = project(first, { dragPositions: { end: { x: 0, y: 300 } }, dropFrame: "each" });
    expect(changed(first, second)).toEqual(["each"]);
    expect(nodeOf(second, "each")?.className).toBe("is-drop-target");
  });

  it("says of a card in which loop it stands, and of a loop how many steps it holds", () => {
    const first = project(null);
    expect(nodeOf(first, "a")?.ariaLabel).toContain("inside Each");
    expect(nodeOf(first, "each")?.ariaLabel).toContain("Holds 2 steps.");
  });
});
