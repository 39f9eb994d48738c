import { describe, expect, test } from "vitest";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { findUnguardedSteps } from "#lib/core/graph/compare/find-unguarded-steps";

const TYPES: Record<string, GraphNode["type"]> = {
  in: "action_input",
  gate: "approval",
  gate2: "approval",
  check: "condition",
  each: "loop",
  shape: "transform",
  out: "return_output",
};

/** `a.handle>b` is an edge; `inside` names the loop of each node in a body. Every other id is an HTTP request. */
function graph(paths: string, inside: Record<string, string> = {}): Definition {
  const edges = paths.split(" ").map((path, index) => {
    const [from = "", target = ""] = path.split(">");
    const [source = "", sourceHandle = null] = from.split(".");
    return { id: `e${index}`, source, target, sourceHandle };
  });
  const ids = new Set([...edges.flatMap(({ source, target }) => [source, target]), ...Object.keys(inside)]);
  const nodes = [...ids].map((id): GraphNode => {
    const parentId = inside[id];
    const type = TYPES[id] ?? "connector";
    return { id, type, position: { x: 0, y: 0 }, data: {}, ...(parentId === undefined ? {} : { parentId }) };
  });
  return { nodes, edges };
}

const BEFORE = graph("in>gate gate.approved>pay pay>out");
const found = (after: Definition, before = BEFORE) => findUnguardedSteps(before, after).map(({ id }) => id);

describe("a step that waited for an approval is found if a run can reach it without one", () => {
  test.each([
    ["the approval is removed", "in>pay pay>out"],
    ["an edge leads around it", "in>gate in>pay gate.approved>pay pay>out"],
    ["its edges are cut", "in>pay pay>out gate>shape"],
    ["a condition chooses whether it is asked", "in>check check.true>gate check.false>pay gate.approved>pay pay>out"],
    ["the branch for a rejection leads to it, too", "in>gate gate.approved>pay gate.rejected>pay pay>out"],
    ["it is replaced by a new step before the approval", "in>pay2 pay2>gate gate.approved>out"],
  ])("%s", (_how, paths) => {
    expect(found(graph(paths))).toEqual([paths.includes("pay2") ? "pay2" : "pay"]);
  });

  test("inside a loop, and when it moves into one", () => {
    const looped = graph("in>each gate.approved>pay", { gate: "each", pay: "each" });
    expect(found(graph("in>each in>gate", { pay: "each" }), looped)).toEqual(["pay"]);
    expect(found(graph("in>each in>gate", { pay: "each" }))).toEqual(["pay"]);
    expect(found(graph("in>gate gate>each", { pay: "each" }))).toEqual([]);
  });
});

describe("nothing is found", () => {
  test.each([
    ["if nothing changed", "in>gate gate.approved>pay pay>out"],
    ["if the edge of the approval has no handle, which means approved", "in>gate gate>pay pay>out"],
    ["if another approval takes the place", "in>gate2 gate2.approved>pay pay>out"],
    ["if steps are added after the approval", "in>gate gate.approved>shape shape>pay pay>out"],
    ["if a new step that needs no approval is added", "in>look look>gate gate.approved>pay pay>out"],
    ["if the step is removed", "in>gate gate.approved>out"],
    ["if no run reaches the step anymore", "in>gate shape>pay"],
  ])("%s", (_how, paths) => {
    expect(found(graph(paths))).toEqual([]);
  });

  test("for a step that needed no approval before", () => {
    expect(found(graph("in>pay pay>out"), graph("in>pay in>gate pay>out"))).toEqual([]);
  });
});

test("a disabled approval guards nothing", () => {
  const after = {
    ...BEFORE,
    nodes: BEFORE.nodes.map((node) => (node.id === "gate" ? { ...node, data: { disabled: true } } : node)),
  };
  expect(found(after)).toEqual(["pay"]);
});
