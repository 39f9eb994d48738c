import { describe, expect, it } from "vitest";
import { moveNodes, replaceAt } from "@/components/canvas/document/edit-data";
import { orderSteps, reaches } from "@/components/canvas/document/step-order";
import { branchingDefinition, testEdge, testNode } from "@/components/canvas/document/test-definition";
import { neighbourOf } from "@/components/canvas/document/traverse";
import { tidyLayout } from "@/components/canvas/layout/tidy";

describe("reading order", () => {
  it("puts a step after all its predecessors, left before right", () => {
    expect(orderSteps(branchingDefinition())).toEqual(["start", "over_500", "refund", "decline", "end"]);
  });

  it("follows one branch to its end before the next one, wherever the steps are drawn, and puts loose steps last", () => {
    const { nodes, edges } = branchingDefinition();
    const more = [
      testNode("loose_2", "delay", 0, -100),
      testNode("loose", "delay", 0, -200),
      testNode("notify", "connector", -160, 700),
    ];
    const lines = edges.map((edge) => (edge.id === "refund-end" ? testEdge("refund", "notify") : edge));
    const order = orderSteps({ nodes: [...more, ...nodes], edges: [...lines, testEdge("notify", "end")] });
    expect(order).toEqual(["start", "over_500", "refund", "notify", "decline", "end", "loose", "loose_2"]);
  });

  it("numbers the nodes of a cycle too", () => {
    const nodes = [testNode("a", "transform", 0, 0), testNode("b", "transform", 0, 100)];
    expect(orderSteps({ nodes, edges: [testEdge("a", "b"), testEdge("b", "a")] })).toEqual(["a", "b"]);
    expect(reaches([testEdge("a", "b"), testEdge("b", "a")], "a", "a")).toBe(true);
  });
});

describe("tidying", () => {
  const heap = branchingDefinition();
  heap.nodes = heap.nodes.map((node) => ({ ...node, position: { x: 40, y: 60 } }));
  const at = (id: string) => tidyLayout(heap, {}).nodes.find((node) => node.id === id)?.position ?? { x: 0, y: 0 };

  it("keeps the first step in its place and lays out the rest below it", () => {
    expect(at("start")).toEqual({ x: 40, y: 60 });
    expect(at("over_500").y).toBeGreaterThan(at("start").y + 100);
    expect(at("end").y).toBeGreaterThan(at("refund").y + 100);
  });

  it("draws the branches side by side in the order of the ports", () => {
    expect(at("refund").y).toBe(at("decline").y);
    expect(at("decline").x - at("refund").x).toBeGreaterThanOrEqual(320);
  });

  it("leaves a tidy drawing unchanged", () => {
    const once = tidyLayout(heap, {});
    expect(tidyLayout(once, {}).nodes.every((node, index) => node === once.nodes[index])).toBe(true);
  });
});

describe("moving with the arrow keys", () => {
  it("follows the edges up and down and the row left and right", () => {
    const definition = branchingDefinition();
    expect(neighbourOf(definition, "over_500", "down")).toBe("refund");
    expect(neighbourOf(definition, "refund", "right")).toBe("decline");
    expect(neighbourOf(definition, "decline", "left")).toBe("refund");
    expect(neighbourOf(definition, "end", "up")).not.toBeNull();
    expect(neighbourOf(definition, "end", "down")).toBeNull();
  });
});

describe("editing a node's data", () => {
  it("replaces, adds and removes at a path without touching the rest", () => {
    const data = { keep: { a: 1 }, rules: [{ left: "a" }, { left: "b" }] };
    const next = replaceAt(data, ["rules", 1, "left"], "c") as typeof data;
    expect(next).toEqual({ keep: { a: 1 }, rules: [{ left: "a" }, { left: "c" }] });
    expect(next.keep).toBe(data.keep);
    expect(replaceAt(data, ["rules", 0], undefined)).toEqual({ keep: { a: 1 }, rules: [{ left: "b" }] });
    expect(replaceAt(data, ["keep"], undefined)).toEqual({ rules: data.rules });
    expect(replaceAt({}, ["params", "url"], "x")).toEqual({ params: { url: "x" } });
  });

  it("returns the same definition when a move changes nothing", () => {
    const definition = branchingDefinition();
    expect(moveNodes(definition, { start: { x: 0, y: 0 } })).toBe(definition);
    expect(moveNodes(definition, { start: { x: 1, y: 0 } }).nodes[0]?.position.x).toBe(1);
  });
});
