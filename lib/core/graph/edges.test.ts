import { expect, test } from "vitest";
import { findNamedNode, indexGraph, upstreamIds } from "#lib/core/graph/edges";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

const graph = indexGraph(
  definition(
    [
      completeNode("start", "action_input"),
      completeNode("check", "condition"),
      completeNode("yes", "transform"),
      completeNode("no", "transform"),
      completeNode("end", "return_output"),
    ],
    ["start > check", "check.true > yes", "check.false > no", "yes > end", "no > end", "gone > end", "end > gone"],
  ),
);

test("edges can be looked up from both ends, and an edge without a node at one end is left out", () => {
  expect(graph.incoming.get("end")?.map((edge) => edge.source)).toEqual(["yes", "no"]);
  expect(graph.outgoing.get("check")?.map((edge) => edge.sourceHandle)).toEqual(["true", "false"]);
  expect(graph.outgoing.get("end")).toEqual([]);
});

test("a node sees the nodes that run before it, nearest first, but not its siblings", () => {
  expect([...upstreamIds(graph, "end")]).toEqual(["yes", "no", "check", "start"]);
  expect([...upstreamIds(graph, "yes")]).toEqual(["check", "start"]);
  expect([...upstreamIds(graph, "start")]).toEqual([]);
});

test("a node inside a loop sees the loop and what the loop sees; a node after the loop does not see inside", () => {
  const body = { ...completeNode("body", "transform"), parentId: "loop" };
  const index = indexGraph(
    definition(
      [
        completeNode("start", "action_input"),
        completeNode("before", "transform"),
        completeNode("loop", "transform"),
        body,
        { ...completeNode("last", "transform"), parentId: "loop" },
        completeNode("after", "return_output"),
      ],
      ["start > before", "before > loop", "body > last", "loop > after"],
    ),
  );
  expect([...upstreamIds(index, "last")].sort()).toEqual(["before", "body", "loop", "start"]);
  expect([...upstreamIds(index, "after")].sort()).toEqual(["before", "loop", "start"]);
});

test("action_input refers to the entry, whatever its id is", () => {
  expect(findNamedNode(graph, "action_input")?.id).toBe("start");
  expect(findNamedNode(graph, "start")?.id).toBe("start");
  expect(findNamedNode(graph, "trigger")).toBeNull();
  expect(findNamedNode(graph, "constructor")).toBeNull();
  expect(findNamedNode(indexGraph({ nodes: [], edges: [] }), "action_input")).toBeNull();
});
