import { describe, expect, it } from "vitest";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { Definition } from "#lib/contract/workflow/graph";
import { applyGraphOperations } from "#lib/core/graph/edits/apply-graph-operations";
import { type GraphOperation, graphOperationSchema } from "#lib/core/graph/edits/graph-operations";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

const URL_TEMPLATE = "https://x.test/{{start.id}}";
const base = (): Definition =>
  definition(
    [
      completeNode("start", "action_input"),
      completeNode("check", "condition"),
      completeNode("call", "connector", { params: { method: "POST", url: URL_TEMPLATE, headers: { a: "1", b: "2" } } }),
      completeNode("each", "loop"),
      { ...completeNode("inner", "transform", { fields: [{ name: "x", value: "{{each.item}}" }] }), parentId: "each" },
      completeNode("out", "return_output", {
        properties: [{ name: "n", type: "string", value: "{{call.body}} \\{{call}}" }],
      }),
    ],
    ["start > check", "check.true > call", "call > out", "check.false > each"],
  );

const apply = (...operations: unknown[]) =>
  applyGraphOperations(
    base(),
    operations.map((operation) => graphOperationSchema.parse(operation)),
  );
const find = (result: Definition, id: string) => result.nodes.find((candidate) => candidate.id === id);
const ends = (result: Definition) =>
  result.edges.map(
    ({ source, sourceHandle, target }) => `${source}${sourceHandle ? `.${sourceHandle}` : ""}>${target}`,
  );

describe("an operation", () => {
  it("adds a node and edges to it, in order, with unused edge ids", () => {
    const added = { id: "notify", type: "transform", data: { fields: [] } };
    const result = apply(
      { op: "add_node", node: added },
      { op: "add_edge", source: "check", target: "notify", sourceHandle: "false" },
      { op: "add_edge", source: "notify", target: "out" },
    );
    expect(find(result, "notify")).toMatchObject({ ...added, position: { x: 0, y: 0 } });
    expect(ends(result).slice(-2)).toEqual(["check.false>notify", "notify>out"]);
    expect(new Set(result.edges.map((edge) => edge.id)).size).toBe(result.edges.length);
  });

  it("merges data key by key, removes keys set to null, replaces lists, and changes nothing else in the node", () => {
    const data = { params: { method: "PUT", headers: { a: null, c: "3" } }, maxRetries: 2 };
    const call = find(apply({ op: "update_node", node_id: "call", data }), "call");
    expect(call?.data).toEqual({
      connector: "http",
      operation: "request",
      maxRetries: 2,
      params: { method: "PUT", url: URL_TEMPLATE, headers: { b: "2", c: "3" } },
    });
    const fields = [{ name: "y", value: 1 }];
    const inner = find(apply({ op: "update_node", node_id: "inner", data: { fields } }), "inner");
    expect(inner).toMatchObject({ parentId: "each", data: { fields } });
  });

  it("moves a node into a loop and out of it", () => {
    const moved = apply(
      { op: "update_node", node_id: "out", position: { x: 5, y: 6 } },
      { op: "update_node", node_id: "call", parentId: "each" },
      { op: "update_node", node_id: "inner", parentId: "" },
    );
    expect(find(moved, "out")?.position).toEqual({ x: 5, y: 6 });
    expect(find(moved, "call")?.parentId).toBe("each");
    expect(find(moved, "inner")).not.toHaveProperty("parentId");
  });

  it("renames an id together with its edges, its body and every expression, but not literal text", () => {
    const result = apply(
      { op: "rename_node", node_id: "call", new_id: "fetch" },
      { op: "rename_node", node_id: "each", new_id: "lines" },
    );
    expect(ends(result)).toEqual(["start>check", "check.true>fetch", "fetch>out", "check.false>lines"]);
    expect(find(result, "inner")).toMatchObject({ parentId: "lines", data: { fields: [{ value: "{{lines.item}}" }] } });
    expect(find(result, "out")?.data).toMatchObject({ properties: [{ value: "{{fetch.body}} \\{{call}}" }] });
  });

  it("removes a node with its edges, and a loop with its body", () => {
    const result = apply({ op: "remove_node", node_id: "call" }, { op: "remove_node", node_id: "each" });
    expect(result.nodes.map(({ id }) => id)).toEqual(["start", "check", "out"]);
    expect(ends(result)).toEqual(["start>check"]);
  });

  it("removes only the edge with the given handle", () => {
    const result = apply({ op: "remove_edge", source: "check", target: "call", sourceHandle: "true" });
    expect(ends(result)).toEqual(["start>check", "call>out", "check.false>each"]);
  });
});

describe("an operation that cannot be applied names its index, its field and the existing ids", () => {
  const node_id = "nowhere";
  const rows: [string, GraphOperation, string, RegExp][] = [
    ["an unknown node", { op: "update_node", node_id }, "node_id", /no node "nowhere"; the nodes are "start", "check"/],
    ["an unknown node to rename", { op: "rename_node", node_id, new_id: "x" }, "node_id", /no node/],
    ["an unknown node to remove", { op: "remove_node", node_id }, "node_id", /no node/],
    ["an unknown loop", { op: "update_node", node_id: "out", parentId: "no" }, "parentId", /no node "no"/],
    ["an id that is taken", { op: "rename_node", node_id: "call", new_id: "out" }, "new_id", /"out" already/],
    ["a node that exists", { op: "add_node", node: completeNode("out", "delay") }, "node.id", /"out" already/],
    ["an unknown source", { op: "add_edge", source: "no", target: "out" }, "source", /no node "no"/],
    ["an unknown target", { op: "add_edge", source: "out", target: "no" }, "target", /no node "no"/],
    ["an edge that exists", { op: "add_edge", source: "call", target: "out" }, "target", /already exists/],
    [
      "an edge without its handle",
      { op: "remove_edge", source: "check", target: "call" },
      "target",
      /the edges are: edge from check to call with the handle true; edge from check to each with the handle false/,
    ],
  ];
  it.each(rows)("%s", (_, operation, field, message) => {
    const before = base();
    const first: GraphOperation = { op: "update_node", node_id: "start", position: { x: 1, y: 1 } };
    let refused: unknown;
    try {
      applyGraphOperations(before, [first, operation]);
    } catch (thrown) {
      refused = thrown;
    }
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining(`operations.1 (${operation.op}), ${field}: `),
      details: [{ field: `operations.1.${field}`, pointer: `/operations/1/${field.replace(".", "/")}` }],
    });
    expect((refused as ApiError).message).toMatch(message);
    expect(before).toEqual(base());
  });

  it("a graph cannot grow beyond its limits", () => {
    const full = {
      ...base(),
      nodes: Array.from({ length: LIMITS.graphNodes }, (_, at) => completeNode(`n${at}`, "delay")),
    };
    const add: GraphOperation = { op: "add_node", node: completeNode("more", "delay") };
    expect(() => applyGraphOperations(full, [add])).toThrow(/at most 200 nodes/);
    const joined = Array.from({ length: LIMITS.graphEdges }, (_, at) => ({ id: `${at}`, source: "a", target: "b" }));
    const edge: GraphOperation = { op: "add_edge", source: "start", target: "out" };
    expect(() => applyGraphOperations({ ...base(), edges: joined }, [edge])).toThrow(/at most 400 edges/);
  });
});

describe("the schema of an operation", () => {
  it.each([
    ["an unknown op", { op: "delete_node", node_id: "a" }, ["op"], /add_node, update_node/],
    ["a misspelled field", { op: "add_edge", source: "a", target: "b", source_handle: "true" }, [], /source_handle/],
    ["a missing field", { op: "rename_node", node_id: "a" }, ["new_id"], /./],
    [
      "an id that expressions cannot refer to",
      { op: "rename_node", node_id: "a", new_id: "a-b" },
      ["new_id"],
      /letters/,
    ],
  ])("refuses %s", (_, operation, path, message) => {
    const issue = graphOperationSchema.safeParse(operation).error?.issues[0];
    expect(issue?.path).toEqual(path);
    expect(issue?.message).toMatch(message);
  });
});

it("data may contain any key, and no key affects anything else", () => {
  const data = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}');
  const operation: GraphOperation = { op: "update_node", node_id: "start", data };
  const changed = find(applyGraphOperations(base(), [operation]), "start")?.data;
  expect(Object.keys(changed ?? {})).toEqual(["properties", "__proto__", "constructor"]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
