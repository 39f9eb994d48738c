import { describe, expect, test } from "vitest";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphNode, NodeType } from "#lib/contract/workflow/graph";
import { findChangedSteps } from "#lib/core/graph/compare/find-changed-steps";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

const inLoop = (id: string, type: NodeType, data?: JsonObject): GraphNode => ({
  ...completeNode(id, type, data),
  parentId: "each",
});
const http = (url: string) => ({ connector: "http", operation: "request", params: { method: "GET", url } });

/** in > first > each[keep > send] > last > out, and first > other. */
const NODES = [
  completeNode("in", "action_input", { properties: [{ name: "email", type: "string", required: true }] }),
  completeNode("first", "connector", http("https://a.example/{{action_input.email}}")),
  completeNode("each", "loop", { items: "{{first.body.items}}" }),
  inLoop("keep", "transform", { fields: [{ name: "to", value: "{{each.item}}" }] }),
  inLoop("send", "connector", http("https://a.example/{{keep.to}}")),
  completeNode("last", "connector", http("https://a.example/last")),
  completeNode("other", "connector", http("https://a.example/other")),
  completeNode("out", "return_output", { properties: [{ name: "all", type: "array", value: "{{each.results}}" }] }),
];
const EDGES = ["in>first", "first>each", "keep>send", "each>last", "last>out", "first>other"];
const BEFORE = definition(NODES, EDGES);

const withData = (id: string, data: JsonObject): Definition => ({
  ...BEFORE,
  nodes: NODES.map((node) => (node.id === id ? { ...node, data: { ...node.data, ...data } } : node)),
});

function changed(
  after: Definition,
  more: { input?: string[]; continued?: string[]; before?: Definition } = {},
): string {
  const { input = [], continued = [], before = BEFORE } = more;
  const ids = findChangedSteps({
    before,
    after,
    changedInput: new Set(input),
    continuedIds: new Set(continued),
  });
  return [...ids].sort().join(" ");
}

describe("the steps that a replay on another version does not take over", () => {
  test("none, if only names, positions, edge ids, retries and settings with their default value differ", () => {
    const after = {
      nodes: BEFORE.nodes.map((node) => ({
        ...node,
        position: { x: 9, y: 9 },
        data: { ...node.data, name: "Other", ...(node.type === "connector" ? { maxRetries: 3 } : {}) },
      })),
      edges: BEFORE.edges.map((edge) => ({ ...edge, id: `new ${edge.id}` })).reverse(),
    };
    expect(changed(after)).toBe("");
    expect(changed(withData("each", { concurrency: 1 }))).toBe("");
  });

  test.each<[string, string, JsonObject, string]>([
    ["a changed step and those after it, and no other branch", "last", http("https://b.example"), "last out"],
    [
      "a step early in the graph, and so everything",
      "first",
      http("https://b.example"),
      "each first keep last other out send",
    ],
    ["the items of a loop, and so its whole body", "each", { items: "{{first.body.rows}}" }, "each keep last out send"],
    ["the result of a loop, and no finished iteration", "each", { result: "{{send.status}}" }, "each last out"],
    ["the concurrency of a loop, and nothing else", "each", { concurrency: 4 }, ""],
    [
      "a step in a loop, and not the steps before it in the body",
      "send",
      http("https://b.example"),
      "each last out send",
    ],
    ["the declared input, if the values are the same", "in", { properties: [] }, ""],
  ])("%s", (_, id, data, ids) => {
    expect(changed(withData(id, data))).toBe(ids);
  });

  test("a step that was removed, and the steps it led to", () => {
    const after = definition(
      NODES.filter(({ id }) => id !== "last"),
      ["in>first", "first>each", "keep>send", "each>out", "first>other"],
    );
    expect(changed(after)).toBe("last out");
  });

  test("a step with a new id, its former id, and the steps after it", () => {
    const nodes = NODES.map((node) => (node.id === "last" ? { ...node, id: "final" } : node));
    const edges = EDGES.map((text) => text.replaceAll("last", "final"));
    expect(changed(definition(nodes, edges))).toBe("final last out");
  });

  test("a step that another branch leads to, and a step with another kind or another loop", () => {
    const check = completeNode("check", "condition");
    const nodes = [...NODES, check];
    const edges = (branch: string) => [...EDGES.slice(0, 3), "each>check", `check.${branch}>last`, "last>out"];
    expect(changed(definition(nodes, edges("false")), { before: definition(nodes, edges("true")) })).toBe("last out");
    const moved = NODES.map((node) => (node.id === "other" ? { ...node, parentId: "each" } : node));
    expect(changed(definition(moved, EDGES.slice(0, -1)))).toBe("each last other out");
    const retyped = NODES.map((node) => (node.id === "other" ? completeNode("other", "delay") : node));
    expect(changed(definition(retyped, EDGES))).toBe("other");
  });

  test("a failure that the run continued after, if the step may end differently now", () => {
    expect(changed(withData("first", { maxRetries: 3 }), { continued: ["first"] })).toContain("first");
    expect(changed(withData("first", { name: "Other" }), { continued: ["first"] })).toBe("");
    const withBranch = definition([...NODES, completeNode("mend", "delay")], [...EDGES, "first>mend"]);
    expect(changed(withBranch)).toBe("mend");
    expect(changed(withBranch, { continued: ["first"] })).toContain("first");
  });

  test("the steps that read a changed field of the input, and the entry", () => {
    expect(changed(BEFORE, { input: ["note"] })).toBe("in");
    expect(changed(BEFORE, { input: ["email"] })).toBe("each first in keep last other out send");
    const whole = withData("other", http("https://a.example/{{action_input}}"));
    expect(changed(whole, { before: whole, input: ["note"] })).toBe("in other");
    const expression = {
      ...BEFORE,
      nodes: NODES.map((node) =>
        node.id === "other" ? { ...completeNode("other", "transform"), data: { jsonata: "action_input.email" } } : node,
      ),
    };
    expect(changed(expression, { before: expression, input: ["note"] })).toBe("in other");
    const collected = withData("each", { result: "{{action_input.note}}" });
    expect(changed(collected, { before: collected, input: ["note"] })).toBe("each in last out");
  });
});
