import { describe, expect, it } from "vitest";
import type { Definition } from "#lib/contract/workflow/graph";
import { analyse } from "@/components/canvas/document/analysis";
import { editNodeData, moveNodes } from "@/components/canvas/document/edit-data";
import { testEdge, testNode } from "@/components/canvas/document/test-definition";
import { type Projection, projectDefinition } from "@/components/canvas/editor/drawing/project-definition";

/** start > each[a > b] > end, with the body listed before its loop. */
const definition: Definition = {
  nodes: [
    { ...testNode("a", "transform", 20, 40, { name: "A", fields: [] }), parentId: "each" },
    { ...testNode("b", "transform", 20, 200, { name: "B" }), parentId: "each" },
    testNode("start", "action_input", 0, 0, { properties: [] }),
    testNode("each", "loop", -20, 160, { name: "Each", items: [1] }),
    testNode("end", "return_output", 0, 600, { properties: [] }),
  ],
  edges: [testEdge("start", "each"), testEdge("a", "b"), testEdge("each", "end")],
};
const sizes = Object.fromEntries(definition.nodes.map(({ id }) => [id, { width: 280, height: 80 }]));

interface View {
  definition?: Definition;
  dropFrame?: string | null;
}

function project(last: Projection | null, view: View = {}): Projection {
  const orientation = "vertical" as const;
  const still = {
    orientation,
    definition,
    selectedNodeIds: [],
    selectedEdgeIds: [],
    dropFrame: null,
    typingIn: null,
    freshNodes: {},
    ...view,
  };
  return projectDefinition({ ...still, analysis: analyse(still.definition), sizes, isReadOnly: false }, last);
}

const changed = (before: Projection, after: Projection) =>
  after.nodes.filter((node) => !before.nodes.includes(node)).map((node) => node.id);
const changedCards = (before: Projection, after: Projection) =>
  [...after.cards].filter(([id, { content }]) => content !== before.cards.get(id)?.content).map(([id]) => id);
const nodeOf = ({ nodes }: Projection, id: string) => nodes.find((node) => node.id === id);

describe("the document as React Flow nodes", () => {
  it("puts every frame before its contents, with positions relative to the frame and the frame's own size", () => {
    const first = project(null);
    expect(first.nodes.map((node) => node.id)).toEqual(["start", "each", "a", "b", "end"]);
    expect(nodeOf(first, "b")).toMatchObject({ parentId: "each", position: { x: 20, y: 200 } });
    expect(nodeOf(first, "each")).toMatchObject({ type: "loop", width: 320, height: 340 });
  });

  it("changes one card's content for a letter, and nothing that React Flow sees", () => {
    const first = project(null);
    const value = "{{each.item}} a";
    const typed = project(first, { definition: editNodeData(definition, "a", ["fields"], [{ name: "x", value }]) });
    expect(changedCards(first, typed)).toEqual(["a"]);
    expect(typed.nodes).toBe(first.nodes);
    expect(typed.edges).toBe(first.edges);
  });

  it("updates a changed name on the step itself, on its next steps, and on the button of their line", () => {
    const first = project(null);
    const renamed = project(first, { definition: editNodeData(definition, "a", ["name"], "Orders") });
    expect(changed(first, renamed)).toEqual(["a", "b"]);
    expect(nodeOf(renamed, "b")?.ariaLabel).toContain("Connected from Orders.");
    const others = [...renamed.adds.values()].flat().filter((add) => ![...first.adds.values()].flat().includes(add));
    expect(others.map(({ label }) => label)).toEqual(["Add a step between Orders and B"]);
    expect(renamed.edges).toBe(first.edges);
    expect(renamed.lines.get("a-b")).toBe(first.lines.get("a-b"));
  });

  it.each(["b", "end", "each"])("changes nothing but %s when it is moved", (moved) => {
    const first = project(null);
    const second = project(first, { definition: moveNodes(definition, { [moved]: { x: 500, y: 700 } }) });
    const frames = moved === "b" ? ["each", "b"] : [moved];
    expect(changed(first, second)).toEqual(frames);
    expect(second.edges).toBe(first.edges);
  });

  it("shows the loop that a drag would drop into, and changes nothing else for it", () => {
    const first = project(null);
    const second = project(first, { dropFrame: "each" });
    expect(changed(first, second)).toEqual(["each"]);
    expect(nodeOf(second, "each")?.className).toBe("is-drop-target");
  });

  it("describes a card with its loop, and a loop with its number of steps", () => {
    const first = project(null);
    expect(nodeOf(first, "a")?.ariaLabel).toContain("inside Each");
    expect(nodeOf(first, "each")?.ariaLabel).toContain("Contains 2 steps.");
  });
});
