import { describe, expect, test } from "vitest";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

const start = completeNode("start", "action_input");
const off = (node: GraphNode): GraphNode => ({ ...node, data: { ...node.data, disabled: true } });
const end = (value: unknown) =>
  completeNode("end", "return_output", { properties: [{ name: "sum", type: "number", value }] });
const problemsOf = (nodes: GraphNode[], edges: string[]) =>
  validateGraph(definition(nodes, edges)).map(({ severity, code, node_id: nodeId, message }) => {
    return { severity, code, nodeId, message };
  });
const LINE = ["start > price", "price > end"];

describe("a disabled step", () => {
  test("is named by a warning, which does not prevent publishing", () => {
    expect(problemsOf([start, off(completeNode("price", "code")), end(1)], LINE)).toEqual([
      {
        severity: "warning",
        code: "STEP_DISABLED",
        nodeId: "price",
        message: "price: this step is disabled, so runs skip it",
      },
    ]);
  });

  test("makes every later reference to it a warning, except one with a fallback", () => {
    const price = off(completeNode("price", "code"));
    const read = problemsOf([start, price, end("{{price.total}}")], LINE);
    expect(read).toContainEqual(expect.objectContaining({ code: "MAY_BE_EMPTY", nodeId: "end" }));
    expect(read.find(({ nodeId }) => nodeId === "end")?.message).toContain('is empty, because "price" is disabled');
    const fallback = problemsOf([start, price, end("{{price.total ?? 0}}")], LINE);
    expect(fallback.filter(({ nodeId }) => nodeId === "end")).toEqual([]);
  });

  test("does not have to be complete, nor do the steps inside a disabled loop", () => {
    const broken = off({ ...completeNode("price", "code"), data: {} });
    expect(problemsOf([start, broken, end(1)], LINE).map(({ code }) => code)).toEqual(["STEP_DISABLED"]);
    const inner: GraphNode = { ...completeNode("inner", "code"), data: {}, parentId: "each" };
    const nodes = [start, off(completeNode("each", "loop")), inner, end(1)];
    const codes = problemsOf(nodes, ["start > each", "each > end"]).map(({ code }) => code);
    expect(codes).toEqual(["STEP_DISABLED"]);
  });

  test("keeps what certainly runs behind it certain: its first branch is always taken", () => {
    const check = off(completeNode("check", "condition"));
    const nodes = [start, check, completeNode("yes", "code"), end("{{yes.total}}")];
    const found = problemsOf(nodes, ["start > check", "check.true > yes", "yes > end"]);
    expect(found.map(({ code }) => code)).toEqual(["STEP_DISABLED"]);
  });
});

test.each(["action_input", "return_output"] as const)("%s can't be disabled", (type) => {
  const nodes = [start, completeNode("price", "code"), end(1)].map((node) => (node.type === type ? off(node) : node));
  expect(problemsOf(nodes, LINE)).toEqual([expect.objectContaining({ severity: "error", code: "UNKNOWN_KEY" })]);
});
