import { describe, expect, test } from "vitest";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

const start = completeNode("start", "action_input", {
  properties: [
    { name: "email", type: "string", required: true },
    { name: "order id", type: "integer", required: true },
  ],
});
const end = completeNode("end", "return_output", {
  properties: [{ name: "ok", type: "boolean", value: "{{check.result}}" }],
});
const check = completeNode("check", "condition", {
  name: "Is it ours?",
  rules: [{ left: "{{action_input.email}}", operator: "ends_with", right: "@example.com" }],
});

/** start > check > (true) work > end, (false) end. */
function sound(...work: GraphNode[]): Definition {
  const [first = completeNode("work", "transform")] = work;
  return definition(
    [start, check, first, end],
    ["start > check", `check.true > ${first.id}`, "check.false > end", `${first.id} > end`],
  );
}

function found(graph: Definition): string[] {
  return validateGraph(graph).map(({ code, node_id, field }) => [code, node_id, field].filter(Boolean).join(" "));
}

function only(graph: Definition): GraphProblem {
  const problems = validateGraph(graph);
  expect(problems).toHaveLength(1);
  return problems[0] as GraphProblem;
}

test("a valid workflow has no problems", () => {
  expect(validateGraph(sound())).toEqual([]);
});

describe("the messages of the contract", () => {
  test("an empty draft lacks both placeholders", () => {
    expect(validateGraph({ nodes: [], edges: [] })).toEqual([
      {
        severity: "error",
        code: "ACTION_INPUT_COUNT",
        message: "Callable workflow must have exactly 1 Action Input node",
      },
      {
        severity: "error",
        code: "RETURN_OUTPUT_COUNT",
        message: "Callable workflow must have at least 1 Return Output node",
      },
    ]);
  });

  test("a second Action Input node is a problem of that node", () => {
    const graph = sound();
    const second = completeNode("second", "action_input");
    expect(found({ ...graph, nodes: [...graph.nodes, second] })).toEqual(["ACTION_INPUT_COUNT second"]);
  });

  test("several Return Output nodes are allowed", () => {
    const other = completeNode("other", "return_output", {
      properties: [{ name: "ok", type: "boolean", value: true }],
    });
    const nodes = [start, check, end, other];
    expect(found(definition(nodes, ["start > check", "check.true > end", "check.false > other"]))).toEqual([]);
  });
});

describe("nodes and edges", () => {
  test("ids are unique, and action_input, trigger and __proto__ are reserved", () => {
    expect(found(sound(completeNode("end", "transform")))).toContain("DUPLICATE_NODE_ID end");
    expect(found(sound(completeNode("trigger", "transform")))).toEqual(["RESERVED_NODE_ID trigger"]);
    expect(found(sound(completeNode("action_input", "transform")))).toContain("RESERVED_NODE_ID action_input");
    expect(found(sound(completeNode("__proto__", "transform")))).toEqual(["RESERVED_NODE_ID __proto__"]);
  });

  test.each([
    ["ghost > end", "UNKNOWN_EDGE_END ghost"],
    ["start > ghost", "UNKNOWN_EDGE_END start"],
    ["work > work", "SELF_LOOP work"],
    ["check.maybe > end", "UNKNOWN_HANDLE check"],
    ["work.true > end", "UNKNOWN_HANDLE work"],
    ["work > start", "ENTRY_HAS_INCOMING start"],
  ])("the edge %s is refused", (edge, problem) => {
    const graph = sound();
    expect(found({ ...graph, edges: [...graph.edges, ...definition([], [edge]).edges] })).toContain(problem);
  });

  test("a duplicate edge is refused, but the same ends with another handle are allowed", () => {
    const graph = sound();
    const again = { id: "again", source: "work", target: "end", sourceHandle: null };
    expect(only({ ...graph, edges: [...graph.edges, again] })).toMatchObject({
      code: "DUPLICATE_EDGE",
      edge_id: "again",
    });
    const other = { ...again, source: "check", sourceHandle: "true" };
    expect(validateGraph({ ...graph, edges: [...graph.edges, other] })).toEqual([]);
    expect(found({ ...graph, edges: [...graph.edges, { ...other, id: "start > check" }] })).toEqual([
      "DUPLICATE_EDGE_ID check",
    ]);
  });

  test("nodes on a cycle are reported once, by name", () => {
    const nodes = [start, completeNode("a", "transform", { name: "First" }), completeNode("b", "transform"), end];
    const graph = definition(nodes, ["start > a", "a > b", "b > a", "b > end"]);
    const problem = only({ ...graph, nodes: [start, ...nodes.slice(1, 3), { ...end, data: { properties: [] } }] });
    expect(problem).toMatchObject({ code: "CYCLE", node_id: "a" });
    expect(problem.message).toContain("First, b");
  });

  test("two separate cycles are two problems", () => {
    const nodes = ["a", "b", "c", "d"].map((id) => completeNode(id, "transform"));
    const edges = ["start > a", "a > b", "b > a", "b > c", "c > d", "d > c", "d > end"];
    const graph = definition([start, ...nodes, completeNode("end", "return_output")], edges);
    expect(found(graph)).toEqual(["CYCLE a", "CYCLE c"]);
  });

  test("a node that cannot be reached is reported by id", () => {
    const graph = sound();
    const lost = [completeNode("lost", "transform"), completeNode("after", "transform")];
    const edges = [...graph.edges, ...definition([], ["lost > after", "after > end"]).edges];
    expect(found({ nodes: [...graph.nodes, ...lost], edges })).toEqual([
      "UNREACHABLE_NODE lost",
      "UNREACHABLE_NODE after",
    ]);
  });

  test("only a loop can contain nodes", () => {
    const graph = sound({ ...completeNode("work", "transform"), parentId: "check" });
    expect(found(graph)).toContain("UNKNOWN_PARENT work");
    expect(found(graph)).toContain("EDGE_CROSSES_LOOP check");
  });
});

describe("configuration", () => {
  test("a problem names the field and explains what is wrong with it", () => {
    const connector = completeNode("work", "connector", { name: "Get contact", connector: "", maxRetries: 9 });
    expect(validateGraph(sound(connector))).toEqual([
      {
        severity: "error",
        code: "INVALID_DATA",
        message: "Get contact: maxRetries must be a whole number from 0 to 5",
        node_id: "work",
        field: "maxRetries",
      },
      {
        severity: "error",
        code: "INVALID_DATA",
        message: "Get contact: connector is required",
        node_id: "work",
        field: "connector",
      },
    ]);
  });

  test("missing values, wrong types and unknown choices are explained in plain words", () => {
    const messages = (data: object) =>
      validateGraph(sound({ ...completeNode("work", "condition"), data: { rules: [data] } })).map(
        (problem) => problem.message,
      );
    expect(messages({ left: 1 })).toEqual([
      expect.stringMatching(/^work: rules\.0\.operator must be one of: equals, not_equals, /),
    ]);
    expect(messages({ operator: "exists" })).toEqual(["work: rules.0.left is required"]);
    expect(validateGraph(sound(completeNode("work", "transform", { fields: "x" })))[0]?.message).toBe(
      "work: fields must be a list",
    );
    expect(validateGraph(sound(completeNode("work", "transform", { fields: undefined })))[0]?.message).toBe(
      "work: fields is required",
    );
  });

  test("all Return Output nodes declare the same type for a property", () => {
    const other = completeNode("other", "return_output", { properties: [{ name: "ok", type: "string", value: "" }] });
    const graph = definition([start, check, end, other], ["start > check", "check.true > end", "check.false > other"]);
    expect(only(graph)).toMatchObject({ code: "RETURN_TYPE_CONFLICT", node_id: "other", field: "properties.0.type" });
  });
});

describe("expressions", () => {
  const transform = (value: unknown) => sound(completeNode("work", "transform", { fields: [{ name: "x", value }] }));

  test("expressions can refer to upstream nodes, the entry by either name and declared fields", () => {
    for (const value of [
      "{{action_input.email}} {{start.email}}",
      "{{action_input}}",
      '{{action_input["order id"]}}',
      { deep: ["{{check.result}}", String.raw`\{{ghost.x}}`] },
    ]) {
      expect(validateGraph(transform(value))).toEqual([]);
    }
  });

  test("a reference to a node that does not run before is a problem of the field", () => {
    expect(only(transform("Dear {{end.ok}}"))).toEqual({
      severity: "error",
      code: "REFERENCE_NOT_UPSTREAM",
      message: "work: {{end.ok}} in fields.0.value refers to a step that does not run before this one",
      node_id: "work",
      field: "fields.0.value",
    });
    expect(only(transform("{{work.x}}")).code).toBe("REFERENCE_NOT_UPSTREAM");
  });

  test("an unknown node, an unknown input field and broken syntax are problems", () => {
    expect(only(transform("{{ghost.x}}")).message).toBe(
      'work: {{ghost.x}} in fields.0.value refers to "ghost", which does not exist',
    );
    expect(only(transform("{{trigger.output.body}}")).code).toBe("UNKNOWN_REFERENCE");
    expect(only(transform("{{action_input.mail}}")).message).toBe(
      'work: {{action_input.mail}} in fields.0.value reads "mail", which start does not declare; did you mean "email"?',
    );
    expect(only(transform("{{start.constructor}}")).code).toBe("UNKNOWN_INPUT_FIELD");
    expect(only(transform({ list: ["{{check.result"] }))).toMatchObject({
      code: "INVALID_EXPRESSION",
      field: "fields.0.value.list.0",
    });
  });

  test("expressions are only checked in fields that are templates", () => {
    const named = completeNode("work", "transform", { name: "{{ghost}}", fields: [{ name: "{{ghost}}", value: 1 }] });
    expect(validateGraph(sound(named))).toEqual([]);
    const connector = completeNode("work", "connector", {
      params: { url: "{{ghost}}", headers: { a: ["{{ghost.b}}"] } },
    });
    expect(found(sound(connector))).toEqual([
      "UNKNOWN_REFERENCE work params.url",
      "UNKNOWN_REFERENCE work params.headers.a.0",
    ]);
    const rules = [{ left: "{{ghost}}", operator: "equals", right: "{{ghost}}" }];
    expect(found(sound(completeNode("work", "condition", { rules })))).toEqual([
      "UNKNOWN_REFERENCE work rules.0.left",
      "UNKNOWN_REFERENCE work rules.0.right",
    ]);
  });
});

describe("bounds", () => {
  test("more than 200 nodes or 400 edges are reported as one problem", () => {
    const nodes = Array.from({ length: 201 }, (_, index) => completeNode(`n${index}`, "transform"));
    expect(found({ nodes, edges: [] })).toEqual(["GRAPH_TOO_LARGE"]);
    const edges = Array.from({ length: 401 }, (_, index) => ({ id: `e${index}`, source: "start", target: "end" }));
    expect(found({ nodes: [start, end], edges })).toEqual(["GRAPH_TOO_LARGE"]);
  });

  test("hostile nesting is reported as one problem and does not crash", () => {
    let deep: unknown = "{{x}}";
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(found(sound(completeNode("work", "transform", { fields: [{ name: "x", value: deep }] })))).toEqual([
      "GRAPH_TOO_DEEP",
    ]);
  });

  test("at most 200 problems are listed", () => {
    const value = Array.from({ length: 1_000 }, (_, index) => `{{ghost${index}}}`);
    expect(found(sound(completeNode("work", "transform", { fields: [{ name: "x", value }] })))).toHaveLength(200);
  });
});
