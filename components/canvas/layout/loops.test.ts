import { describe, expect, it } from "vitest";
import type { Definition } from "#lib/contract/workflow/graph";
import { analyse } from "@/components/canvas/document/analysis";
import { connectionRefusal, connectNodes } from "@/components/canvas/document/connect-nodes";
import { earlierData, itemData } from "@/components/canvas/document/earlier-data";
import { frameOfNode, framesOf, placeOf } from "@/components/canvas/document/frames";
import { removeElements } from "@/components/canvas/document/remove-nodes";
import { orderSteps } from "@/components/canvas/document/step-order";
import { testEdge, testNode } from "@/components/canvas/document/test-definition";
import { neighbourOf } from "@/components/canvas/document/traverse";
import { duplicateNodes } from "@/components/canvas/layout/duplicate-nodes";
import { insertNode, insertRefusal } from "@/components/canvas/layout/insert-node";
import { dropNodes, moveToFrame } from "@/components/canvas/layout/move-across";
import { nodeSize } from "@/components/canvas/layout/node-size";
import { tidyLayout } from "@/components/canvas/layout/tidy";

const VIEW = { sizes: {}, orientation: "vertical" } as const;

/** start > before > each[a > b] > end */
function loopDefinition(): Definition {
  const inside = (id: string, y: number, data = {}) => ({
    ...testNode(id, "transform", 20, y, data),
    parentId: "each",
  });
  return {
    nodes: [
      testNode("start", "action_input", 0, 0, { properties: [{ name: "orders", type: "array", required: true }] }),
      testNode("before", "transform", 0, 160),
      // The body comes before its loop, because the result must not depend on the order.
      inside("a", 40, { fields: [{ name: "x", value: "{{each.item}}" }] }),
      testNode("each", "loop", -20, 320, { items: "{{action_input.orders}}", result: "{{b.x}}" }),
      inside("b", 200, { fields: [{ name: "x", value: "{{a.x}}" }] }),
      testNode("end", "return_output", 0, 800),
    ],
    edges: [testEdge("start", "before"), testEdge("before", "each"), testEdge("a", "b"), testEdge("each", "end")],
  };
}

const pairs = ({ edges }: Definition) => edges.map((edge) => `${edge.source}>${edge.target}`);
const nodeOf = (definition: Definition, id: string) => {
  const node = definition.nodes.find((candidate) => candidate.id === id);
  if (node === undefined) throw new Error(`no ${id}`);
  return node;
};
const onCanvas = (definition: Definition, id: string) => placeOf(definition, nodeOf(definition, id));

describe("a loop's frame", () => {
  it("is as large as its body needs, and never smaller than one card", () => {
    const definition = loopDefinition();
    const sizes = { a: { width: 280, height: 70 }, b: { width: 280, height: 90 }, each: { width: 1, height: 1 } };
    expect(nodeSize(definition, nodeOf(definition, "each"), sizes)).toEqual({ width: 320, height: 350 });
    const alone = testNode("alone", "loop", 0, 0);
    expect(nodeSize({ nodes: [alone], edges: [] }, alone, {})).toEqual({ width: 320, height: 160 });
  });

  it("orders loop, body, rest; ignores a parent that isn't a loop or that forms a cycle", () => {
    expect(orderSteps(loopDefinition())).toEqual(["start", "before", "each", "a", "b", "end"]);
    const odd = {
      nodes: [
        { ...testNode("a", "transform", 0, 0), parentId: "gone" },
        { ...testNode("l", "loop", 0, 90), parentId: "m" },
        { ...testNode("m", "loop", 0, 180), parentId: "l" },
      ],
      edges: [],
    };
    expect(framesOf(odd).bodyOf.get("")).toHaveLength(3);
    expect(orderSteps(odd)).toEqual(["a", "l", "m"]);
  });

  it("is traversed by the down key, and back by the up key", () => {
    const way: (string | null)[] = ["start"];
    for (let at = way[0]; at !== null && at !== undefined; at = way.at(-1))
      way.push(neighbourOf(loopDefinition(), at, "down"));
    expect(way).toEqual(["start", "before", "each", "a", "b", "end", null]);
    expect(["end", "b", "a", "each"].map((id) => neighbourOf(loopDefinition(), id, "up"))).toEqual([
      "each",
      "a",
      "each",
      "before",
    ]);
  });

  it("is laid out around its body, with the body's steps below one another", () => {
    const heap = loopDefinition();
    heap.nodes = heap.nodes.map((node) => ({ ...node, position: { x: 7, y: 7 } }));
    const tidy = tidyLayout(heap, {});
    expect(nodeOf(tidy, "a").position).toEqual({ x: 20, y: 40 });
    expect(nodeOf(tidy, "b").position.y).toBeGreaterThan(140);
    const each = nodeOf(tidy, "each");
    const bottom = each.position.y + nodeSize(tidy, each, {}).height;
    expect(nodeOf(tidy, "end").position.y).toBeGreaterThan(bottom);
    expect(tidyLayout(tidy, {}).nodes.every((node, index) => node === tidy.nodes[index])).toBe(true);
  });
});

describe("adding to a loop", () => {
  it("puts a first step inside, without connections", () => {
    const empty = { nodes: [testNode("each", "loop", 0, 0)], edges: [] };
    const { definition, nodeId } = insertNode(empty, { type: "transform" }, { kind: "inside", loopId: "each" }, {});
    expect(nodeOf(definition, nodeId)).toMatchObject({ parentId: "each", position: { x: 20, y: 40 } });
    expect(definition.edges).toEqual([]);
  });

  it("adds a step after a step of the body inside the loop, and moves down the steps that the frame would cover", () => {
    const before = loopDefinition();
    const spot = { kind: "after", source: "b", sourceHandle: null } as const;
    const { definition, nodeId } = insertNode(before, { type: "code" }, spot, {});
    expect(frameOfNode(definition, nodeId)).toBe("each");
    expect(pairs(definition)).toContain(`b>${nodeId}`);
    const each = nodeOf(definition, "each");
    expect(nodeOf(definition, "end").position.y).toBeGreaterThan(
      each.position.y + nodeSize(definition, each, {}).height,
    );
  });

  it("splits a line inside the body", () => {
    const { definition, nodeId } = insertNode(loopDefinition(), { type: "code" }, { kind: "edge", edgeId: "a-b" }, {});
    expect(frameOfNode(definition, nodeId)).toBe("each");
    expect(pairs(definition)).toEqual(expect.arrayContaining([`a>${nodeId}`, `${nodeId}>b`]));
  });

  it("refuses the start and end steps of the workflow", () => {
    const inside = { kind: "inside", loopId: "each" } as const;
    expect(insertRefusal(loopDefinition(), "return_output", inside)).not.toBeNull();
    expect(insertRefusal(loopDefinition(), "trigger", inside)).not.toBeNull();
    expect(insertRefusal(loopDefinition(), "loop", inside)).toBeNull();
    const after = { kind: "after", source: "b", sourceHandle: null } as const;
    expect(insertRefusal(loopDefinition(), "return_output", after)).not.toBeNull();
  });

  it("refuses a line across the border", () => {
    expect(connectionRefusal(loopDefinition(), { source: "before", target: "a" })).toContain("border");
    expect(connectionRefusal(loopDefinition(), { source: "b", target: "end" })).toContain("border");
    expect(pairs(connectNodes(loopDefinition(), { source: "b", target: "end" }))).not.toContain("b>end");
  });
});

describe("moving a step across the border", () => {
  it("out: it stays at the drop position, its lines are cut, and the frame shrinks to the rest", () => {
    const before = loopDefinition();
    const { definition, cutEdges } = dropNodes(before, { b: { x: 500, y: 200 } }, VIEW);
    expect(nodeOf(definition, "b").parentId).toBeUndefined();
    expect(onCanvas(definition, "b")).toEqual({ x: 480, y: 520 });
    expect(cutEdges).toBe(1);
    expect(pairs(definition)).not.toContain("a>b");
    const each = nodeOf(definition, "each");
    expect(nodeSize(definition, each, {}).height).toBeLessThan(nodeSize(before, nodeOf(before, "each"), {}).height);
  });

  it("in: its predecessors connect to its successor", () => {
    const { definition, cutEdges } = dropNodes(loopDefinition(), { before: { x: 0, y: 420 } }, VIEW);
    expect(frameOfNode(definition, "before")).toBe("each");
    expect(cutEdges).toBe(2);
    expect(pairs(definition)).toContain("start>each");
  });

  it("within its frame: only positions change, and the frame follows its body", () => {
    const { definition, cutEdges } = dropNodes(loopDefinition(), { a: { x: 60, y: 0 } }, VIEW);
    expect(cutEdges).toBe(0);
    expect(onCanvas(definition, "a")).toEqual({ x: 40, y: 320 });
    expect(onCanvas(definition, "b")).toEqual({ x: 0, y: 520 });
    expect(Math.min(nodeOf(definition, "a").position.y, nodeOf(definition, "b").position.y)).toBe(40);
  });

  it("keeps the workflow's end step, and a loop dropped on itself, outside", () => {
    const { definition } = dropNodes(loopDefinition(), { end: { x: 0, y: 420 }, each: { x: 40, y: 340 } }, VIEW);
    expect(frameOfNode(definition, "end")).toBe("");
    expect(frameOfNode(definition, "each")).toBe("");
  });

  it("without a pointer: into a loop at a free place, and out again", () => {
    const inside = moveToFrame(loopDefinition(), "before", "each", VIEW).definition;
    expect(frameOfNode(inside, "before")).toBe("each");
    const outside = moveToFrame(inside, "before", "", VIEW).definition;
    expect(frameOfNode(outside, "before")).toBe("");
    const each = nodeOf(outside, "each");
    expect(onCanvas(outside, "before").x).toBeGreaterThan(each.position.x + nodeSize(outside, each, {}).width - 1);
  });
});

describe("a loop with its body", () => {
  it("is deleted as a whole, and the line around it is reconnected", () => {
    const after = removeElements(loopDefinition(), new Set(["each"]));
    expect(after.nodes.map((node) => node.id)).toEqual(["start", "before", "end"]);
    expect(pairs(after)).toEqual(["start>before", "before>end"]);
  });

  it("is copied as a whole, with new ids, parents, lines and references", () => {
    const { definition, nodeIds } = duplicateNodes(loopDefinition(), new Set(["each"]), {});
    expect(nodeIds).toEqual(["each_2"]);
    expect(
      framesOf(definition)
        .bodyOf.get("each_2")
        ?.map((node) => node.id),
    ).toEqual(["a_2", "b_2"]);
    expect(nodeOf(definition, "a_2").position).toEqual(nodeOf(definition, "a").position);
    expect(nodeOf(definition, "a_2").data.fields).toEqual([{ name: "x", value: "{{each_2.item}}" }]);
    expect(nodeOf(definition, "each_2").data.result).toBe("{{b_2.x}}");
    expect(pairs(definition)).toContain("a_2>b_2");
  });
});

describe("data around a loop", () => {
  const expressions = (sources: ReturnType<typeof earlierData>) =>
    sources.flatMap((source) => source.fields.map((field) => field.expression));

  it("offers the item and its index inside; the results after the loop; and both body and item to a result", () => {
    const analysis = analyse(loopDefinition());
    expect(expressions(earlierData(analysis, "b"))).toEqual([
      "{{action_input.orders}}",
      "{{each.item}}",
      "{{each.index}}",
      "{{a.x}}",
    ]);
    expect(expressions(earlierData(analysis, "end"))).toEqual([
      "{{action_input.orders}}",
      "{{each.results}}",
      "{{each.count}}",
    ]);
    expect(expressions(itemData(analysis, "each"))).toEqual([
      "{{action_input.orders}}",
      "{{each.item}}",
      "{{each.index}}",
      "{{a.x}}",
      "{{b.x}}",
    ]);
  });
});
