import { expect, test } from "vitest";
import { type Definition, EMPTY_DEFINITION } from "#lib/contract/workflow/graph";
import { continueFlow } from "@/components/canvas/document/continue-flow";
import { branchingDefinition, testEdge, testNode } from "@/components/canvas/document/test-definition";

const CHAIN: Definition = {
  nodes: [
    testNode("loose", "delay", 0, -200),
    testNode("start", "trigger", 0, 0),
    testNode("call", "connector", 0, 200),
    testNode("repair", "transform", 400, 400),
  ],
  edges: [testEdge("start", "call"), testEdge("call.failed", "repair")],
};
const ENDED: Definition = {
  nodes: [...branchingDefinition().nodes, testNode("end_2", "return_output", 300, 560)],
  edges: branchingDefinition().edges.map((edge) => (edge.id === "decline-end" ? testEdge("decline", "end_2") : edge)),
};
const withoutLine = (definition: Definition, id: string): Definition => ({
  ...definition,
  edges: definition.edges.filter((edge) => edge.id !== id),
});

test("a step is added to the main path's line to the only Return Output", () => {
  expect(continueFlow(branchingDefinition())).toEqual({ kind: "edge", edgeId: "refund-end" });
});

test("a step is added to the only line to the Return Output, even if another branch has it", () => {
  const definition = withoutLine(branchingDefinition(), "refund-end");
  expect(continueFlow(definition)).toEqual({ kind: "edge", edgeId: "decline-end" });
});

test("without a Return Output, a step goes after the last step of the main path, which is no failure", () => {
  expect(continueFlow(CHAIN)).toEqual({ kind: "after", source: "call", sourceHandle: null });
});

test("a Return Output that nothing leads to is left alone", () => {
  const definition = { ...CHAIN, nodes: [...CHAIN.nodes, testNode("end", "return_output", 0, 500)] };
  expect(continueFlow(definition)).toEqual({ kind: "after", source: "call", sourceHandle: null });
});

test("with several Return Outputs, a step goes before the one of the main path", () => {
  expect(continueFlow(ENDED)).toEqual({ kind: "edge", edgeId: "refund-end" });
});

test("a Return Output goes to a branch that leads nowhere", () => {
  const definition = withoutLine(branchingDefinition(), "over_500.false-decline");
  expect(continueFlow(definition, "return_output")).toEqual({
    kind: "after",
    source: "over_500",
    sourceHandle: "false",
  });
});

test("a cycle in a draft from elsewhere has a place too, and an empty drawing has none", () => {
  const nodes = [testNode("a", "transform", 0, 0), testNode("b", "transform", 0, 100)];
  expect(continueFlow({ nodes, edges: [testEdge("a", "b"), testEdge("b", "a")] })).toEqual({
    kind: "edge",
    edgeId: "a-b",
  });
  expect(continueFlow(EMPTY_DEFINITION)).toBeNull();
  expect(continueFlow({ nodes: [testNode("end", "return_output", 0, 0)], edges: [] })).toBeNull();
});
