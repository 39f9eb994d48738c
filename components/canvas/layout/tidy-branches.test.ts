import { describe, expect, test } from "vitest";
import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition } from "#lib/contract/workflow/graph";
import { testEdge, testNode } from "@/components/canvas/document/test-definition";
import { drawLines } from "@/components/canvas/layout/draw-lines";
import { insertNode } from "@/components/canvas/layout/insert-node";
import { nodeSize } from "@/components/canvas/layout/node-size";
import { tidyLayout } from "@/components/canvas/layout/tidy";

/** start > decide, with one step on each of its branches, which all lead to the end. */
function fanOf(branches: readonly string[], cases: readonly string[] = []): Definition {
  const data = { cases: cases.map((id) => ({ id, name: id })) };
  return {
    nodes: [
      testNode("start", "action_input", 0, 0),
      testNode("decide", cases.length > 0 ? "switch" : "condition", 0, 0, data),
      ...branches.map((branch) => testNode(`on_${branch}`, "transform", 0, 0)),
      testNode("end", "return_output", 0, 0),
    ],
    edges: [
      testEdge("start", "decide"),
      ...branches.flatMap((branch) => [testEdge(`decide.${branch}`, `on_${branch}`), testEdge(`on_${branch}`, "end")]),
    ],
  };
}

const SEVEN = ["one", "two", "three", "four", "five", "six"];

/** The middle of a step across the direction of the drawing, and its start along it. */
function placesOf(definition: Definition, orientation: Orientation) {
  return (id: string) => {
    const node = definition.nodes.find((candidate) => candidate.id === id);
    if (node === undefined) throw new Error(`no ${id}`);
    const { width, height } = nodeSize(definition, node, {}, orientation);
    const { x, y } = node.position;
    return orientation === "vertical" ? { middle: x + width / 2, start: y } : { middle: y + height / 2, start: x };
  };
}

describe.each(["vertical", "horizontal"] as const)("a tidied %s drawing", (orientation) => {
  const tidy = (definition: Definition) => tidyLayout(definition, {}, orientation);
  const placesIn = (definition: Definition) => placesOf(definition, orientation);

  test("has the branches of a condition at equal distances, true first, and the next step in line with it", () => {
    const at = placesIn(tidy(fanOf(["true", "false"])));
    const middle = at("decide").middle;
    expect(at("on_true").middle).toBeLessThan(middle);
    expect(at("on_false").middle - middle).toBeCloseTo(middle - at("on_true").middle, 0);
    expect(at("on_true").start).toBe(at("on_false").start);
    expect(at("start").middle).toBeCloseTo(middle, 0);
    expect(at("end").middle).toBeCloseTo(middle, 0);
  });

  test("fans the seven branches of a switch out in the order of their ports, mirrored around it", () => {
    const at = placesIn(tidy(fanOf([...SEVEN, "default"], SEVEN)));
    const fan = [...SEVEN, "default"].map((branch) => at(`on_${branch}`).middle - at("decide").middle);
    expect(fan.toSorted((a, b) => a - b)).toEqual(fan);
    for (const [index, distance] of fan.entries()) expect(distance).toBeCloseTo(-(fan[fan.length - 1 - index] ?? 0), 0);
  });

  test("bends all lines of one branch at one height, and lines of two branches at different ones where they meet", () => {
    const fan = fanOf([...SEVEN, "default"], SEVEN);
    const extra = [testEdge("decide.one", "on_two"), testEdge("decide.one", "on_three")];
    const drawn = drawLines(tidy({ ...fan, edges: [...fan.edges, ...extra] }), { sizes: {}, orientation });
    const bendsOf = (id: string) => {
      const [, first] = drawn.get(id)?.points ?? [];
      return orientation === "vertical" ? first?.y : first?.x;
    };
    const ofOne = ["decide.one-on_one", "decide.one-on_two", "decide.one-on_three"].map(bendsOf);
    expect(new Set(ofOne).size).toBe(1);
    expect(bendsOf("decide.two-on_two")).not.toBe(ofOne[0]);
  });

  test("keeps the way of success straight and the way of failure to its side", () => {
    const nodes = [
      testNode("start", "action_input", 0, 0),
      testNode("call", "connector", 0, 0),
      testNode("repair", "transform", 0, 0),
      testNode("next", "transform", 0, 0),
      testNode("end", "return_output", 0, 0),
    ];
    const edges = [
      testEdge("start", "call"),
      testEdge("call", "next"),
      testEdge("call.failed", "repair"),
      testEdge("next", "end"),
      testEdge("repair", "end"),
    ];
    const at = placesIn(tidy({ nodes, edges }));
    for (const id of ["call", "next", "end"]) expect(at(id).middle).toBeCloseTo(at("start").middle, 0);
    expect(at("repair").middle).toBeGreaterThan(at("start").middle);
  });

  test("moves nothing but what follows when a step is added to a branch", () => {
    const before = tidy(fanOf(["true", "false"]));
    const spot = { kind: "edge", edgeId: "decide.true-on_true" } as const;
    const { definition: after } = insertNode(before, { type: "transform" }, spot, {}, orientation);
    const moved = before.nodes.filter(({ id, position }) => {
      const now = after.nodes.find((node) => node.id === id)?.position;
      return now?.x !== position.x || now.y !== position.y;
    });
    expect(moved.map(({ id }) => id)).toEqual(["on_true", "end"]);
    const at = placesIn(tidy(after));
    const was = placesIn(before);
    for (const id of ["start", "decide", "on_false"]) expect(at(id)).toEqual(was(id));
  });
});
