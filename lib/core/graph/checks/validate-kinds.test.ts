import { describe, expect, test } from "vitest";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { isError } from "#lib/core/graph/checks/problem";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { deriveType } from "#lib/core/graph/derive-type";
import { applyFixes } from "#lib/core/graph/edits/apply-fixes";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

const start = completeNode("start", "action_input", {
  properties: [{ name: "email", type: "string", required: true }],
});
const end = completeNode("end", "return_output");

function found(graph: Definition): string[] {
  const errors = validateGraph(graph).filter(isError);
  return errors.map(({ code, node_id, field }) => [code, node_id, field].filter(Boolean).join(" "));
}

describe("the start of a workflow", () => {
  const trigger = completeNode("launch", "trigger");
  const event = definition([trigger, completeNode("work", "transform")], ["launch > work"]);

  test("one trigger makes a workflow event_driven and replaces the placeholders", () => {
    expect(validateGraph(event)).toEqual([]);
    expect(deriveType(event)).toBe("event_driven");
  });

  test("a trigger that no step follows is a warning, and the only step that nothing leads to is its fix", async () => {
    const alone = { ...event, edges: [] };
    const { definition: fixed, applied } = await applyFixes(alone, (drawn) => validateGraph(drawn));
    expect(applied.map(({ severity, code }) => `${severity} ${code}`)).toEqual(["warning TRIGGER_ALONE"]);
    expect(fixed.edges).toMatchObject([{ source: "launch", target: "work" }]);
    const two = { ...alone, nodes: [...alone.nodes, completeNode("other", "transform")] };
    for (const drawn of [two, definition([trigger], [])]) {
      const [problem] = validateGraph(drawn).filter(({ code }) => code === "TRIGGER_ALONE");
      expect(problem).toMatchObject({ severity: "warning", node_id: "launch" });
      expect(problem).not.toHaveProperty("fix");
    }
  });

  test("two triggers are refused with the contract's message, and the second one is shown", () => {
    const second = { ...trigger, id: "second" };
    expect(validateGraph({ ...event, nodes: [...event.nodes, second] })).toContainEqual({
      severity: "error",
      code: "TRIGGER_COUNT",
      message: "An event_driven workflow must have exactly 1 Trigger node",
      node_id: "second",
    });
  });

  test("a trigger next to an Action Input is refused", () => {
    const graph = definition([start, end], ["start > end"]);
    expect(found({ ...graph, nodes: [...graph.nodes, trigger] })).toContain("TWO_STARTS launch");
  });

  test("trigger refers to the trigger whatever its id is, and action_input to nothing", () => {
    const uses = (value: string) =>
      definition([trigger, completeNode("work", "transform", { fields: [{ name: "x", value }] })], ["launch > work"]);
    expect(found(uses("{{trigger.output.body.id}} {{launch.output}}"))).toEqual([]);
    expect(found(uses("{{action_input.id}}"))).toEqual(["UNKNOWN_REFERENCE work fields.0.value"]);
  });

  test.each([
    ["of 500 characters", "s".repeat(500), []],
    ["of 4,001 characters", "s".repeat(4_001), ["INVALID_DATA launch secret"]],
    ["of spaces", "  ", ["INVALID_DATA launch secret"]],
    ["that is encrypted, of any length", `sealed:${"s".repeat(2_000)}`, []],
  ])("a webhook secret %s", (_, secret, problems) => {
    const data = { kind: "webhook", secret };
    const graph = definition([{ ...trigger, data }, completeNode("work", "transform")], ["launch > work"]);
    expect(found(graph)).toEqual(problems);
  });

  test.each([
    [{ kind: "webhook", secret: "s", scheme: "github" }, []],
    [{ kind: "schedule", mode: "interval", seconds: 60 }, []],
    [{ kind: "schedule", mode: "interval", seconds: 59 }, ["INVALID_DATA launch seconds"]],
    [{ kind: "schedule", mode: "interval", seconds: 86_401 }, ["INVALID_DATA launch seconds"]],
    [{ kind: "schedule", mode: "cron", expression: "0 9 * * 1-5", timezone: "Europe/Berlin" }, []],
    [{ kind: "schedule", mode: "cron", expression: "0 9 * *" }, ["INVALID_DATA launch expression"]],
    [{ kind: "connector", connector: "crm", event: "lead_added" }, []],
    [{ kind: "connector", connector: "crm" }, ["INVALID_DATA launch event"]],
    [{ kind: "post" }, ["INVALID_DATA launch kind"]],
  ])("the trigger %j", (data, problems) => {
    const graph = definition([{ ...trigger, data }, completeNode("work", "transform")], ["launch > work"]);
    expect(found(graph)).toEqual(problems);
  });
});

describe("a switch", () => {
  const rules = [{ left: "{{start.email}}", operator: "exists" }];
  const cases = [
    { id: "a", match: "all", rules },
    { id: "b", match: "all", rules },
  ];
  const graph = (of: unknown, ...edges: string[]) =>
    definition([start, completeNode("s", "switch", { cases: of }), end], ["start > s", ...edges]);

  test("has one branch per case id, and default", () => {
    expect(found(graph(cases, "s.a > end", "s.b > end", "s.default > end"))).toEqual([]);
    expect(found(graph(cases, "s.c > end"))).toEqual(["UNKNOWN_HANDLE s"]);
  });

  test("has cases with unique ids, none of them default", () => {
    const id = (text: string) => ({ ...cases[0], id: text });
    expect(found(graph([id("a"), id("a")], "s.a > end"))).toEqual(["INVALID_DATA s cases.1.id"]);
    expect(found(graph([id("default")], "s.default > end"))).toEqual(["INVALID_DATA s cases.0.id"]);
    expect(found(graph([], "s.default > end"))).toEqual(["INVALID_DATA s cases"]);
  });

  test("has its templates checked", () => {
    const lost = [{ id: "a", match: "all", rules: [{ left: "{{ghost}}", operator: "exists" }] }];
    expect(found(graph(lost, "s.a > end"))).toEqual(["UNKNOWN_REFERENCE s cases.0.rules.0.left"]);
  });
});

describe("a loop", () => {
  const inside = (id: string, value: unknown, parentId = "each"): GraphNode => ({
    ...completeNode(id, "transform", { fields: [{ name: "x", value }] }),
    parentId,
  });
  const graph = (body: GraphNode[], after = "", data = {}, edges: string[] = []): Definition =>
    definition(
      [
        start,
        completeNode("each", "loop", { items: "{{start.email}}", ...data }),
        ...body,
        completeNode("after", "transform", { fields: [{ name: "x", value: after }] }),
        end,
      ],
      ["start > each", "each > after", "after > end", ...edges],
    );

  test("provides its item and index inside, and its results and count afterwards", () => {
    const body = [inside("a", "{{each.item.id}} {{each.index}} {{each}} {{start.email}}"), inside("b", "{{a.x}}")];
    expect(
      found(graph(body, "{{each.results[0]}} {{each.count}}", { result: "{{b.x}} {{each.item}}" }, ["a > b"])),
    ).toEqual([]);
  });

  test.each([
    ["its results to its body", [inside("a", "{{each.results}}")], "", {}, ["UNKNOWN_LOOP_FIELD a fields.0.value"]],
    ["its item to later steps", [inside("a", "")], "{{each.item}}", {}, ["UNKNOWN_LOOP_FIELD after fields.0.value"]],
    ["its body to later steps", [inside("a", "")], "{{a.x}}", {}, ["REFERENCE_NOT_UPSTREAM after fields.0.value"]],
    [
      "its item to its own items",
      [inside("a", "")],
      "",
      { items: "{{each.item}}" },
      ["REFERENCE_NOT_UPSTREAM each items"],
    ],
    ["its body to its own items", [inside("a", "")], "", { items: "{{a.x}}" }, ["REFERENCE_NOT_UPSTREAM each items"]],
    [
      "later steps to its result",
      [inside("a", "")],
      "",
      { result: "{{after.x}}" },
      ["REFERENCE_NOT_UPSTREAM each result"],
    ],
    [
      "one branch of its body to another",
      [inside("a", ""), inside("b", "{{a.x}}")],
      "",
      {},
      ["REFERENCE_NOT_UPSTREAM b fields.0.value"],
    ],
  ])("does not expose %s", (_what, body, after, data, problems) => {
    expect(found(graph(body, after, data))).toEqual(problems);
  });

  test("exposes both items to the body of an inner loop", () => {
    const inner = { ...completeNode("inner", "loop", { items: "{{each.item}}" }), parentId: "each" };
    const body = [inner, inside("a", "{{each.item}} {{inner.item}} {{inner.index}}", "inner")];
    expect(found(graph(body))).toEqual([]);
    const outside = inside("b", "{{inner.item}} {{inner.count}}");
    expect(found(graph([...body, outside], "", {}, ["inner > b"]))).toEqual(["UNKNOWN_LOOP_FIELD b fields.0.value"]);
  });

  test("allows no edges across its border", () => {
    expect(found(graph([inside("a", "")], "", {}, ["start > a"]))).toEqual(["EDGE_CROSSES_LOOP start"]);
    expect(found(graph([inside("a", "")], "", {}, ["a > after"]))).toEqual(["EDGE_CROSSES_LOOP a"]);
    expect(found(graph([inside("a", "")], "", {}, ["each > a"]))).toEqual(["EDGE_CROSSES_LOOP each"]);
  });

  test("needs a body, which cannot contain the start or the end of the workflow", () => {
    expect(found(graph([]))).toEqual(["EMPTY_LOOP each"]);
    const result = { ...completeNode("result", "return_output"), parentId: "each" };
    expect(found(graph([inside("a", ""), result], "", {}, ["a > result"]))).toEqual(["NOT_IN_LOOP result"]);
    expect(found(graph([inside("a", "", "start")]))).toContain("UNKNOWN_PARENT a");
  });

  test.each([
    [{ items: "" }, ["INVALID_DATA each items"]],
    [{ concurrency: 0 }, ["INVALID_DATA each concurrency"]],
    [{ concurrency: 11 }, ["INVALID_DATA each concurrency"]],
    [{ concurrency: 1.5 }, ["INVALID_DATA each concurrency"]],
    [{ items: ["a", "b"], concurrency: 10 }, []],
  ])("with %j", (data, problems) => {
    expect(found(graph([inside("a", "")], "", data))).toEqual(problems);
  });
});

test("an approval's branches are approved, rejected, or unnamed", () => {
  const gate = (...edges: string[]) => definition([start, completeNode("g", "approval"), end], ["start > g", ...edges]);
  expect(found(gate("g.approved > end"))).toEqual([]);
  expect(found(gate("g > end", "g.rejected > end"))).toEqual([]);
  expect(found(gate("g.maybe > end"))).toEqual(["UNKNOWN_HANDLE g"]);
});

describe("a filter", () => {
  const graph = (left: string, after = "", items = "{{start.email}}") =>
    definition(
      [
        start,
        completeNode("few", "filter", { items, rules: [{ left, operator: "exists" }] }),
        completeNode("after", "transform", { fields: [{ name: "x", value: after }] }),
        end,
      ],
      ["start > few", "few > after", "after > end"],
    );

  test("exposes its item and index to its rules, and its items and count afterwards", () => {
    expect(found(graph("{{few.item.id}} {{few.index}} {{start.email}}", "{{few.items[0]}} {{few.count}}"))).toEqual([]);
  });

  test.each([
    ["the items to its rules", graph("{{few.items}}"), ["UNKNOWN_LOOP_FIELD few rules.0.left"]],
    [
      "the item to later steps",
      graph("", "{{few.item}}"),
      ["INVALID_DATA few rules.0.left", "UNKNOWN_LOOP_FIELD after fields.0.value"],
    ],
    ["the item to its own list", graph("1", "", "{{few.item}}"), ["REFERENCE_NOT_UPSTREAM few items"]],
    ["later steps to its rules", graph("{{after.x}}"), ["REFERENCE_NOT_UPSTREAM few rules.0.left"]],
  ])("does not expose %s", (_what, drawn, problems) => {
    expect(found(drawn)).toEqual(problems);
  });

  test("needs a list and a rule", () => {
    expect(found(graph("1", "", ""))).toEqual(["INVALID_DATA few items"]);
    const bare = { ...completeNode("few", "filter"), data: { items: "{{start.email}}", rules: [] } };
    expect(found(definition([start, bare, end], ["start > few", "few > end"]))).toEqual(["INVALID_DATA few rules"]);
  });
});

describe("the address of a step that waits for a callback", () => {
  const wait = completeNode("wait", "wait_for_callback");
  const reader = (value: string) => completeNode("a", "transform", { fields: [{ name: "v", value }] });
  const codesOf = (nodes: GraphNode[], paths: string[]) =>
    validateGraph(
      definition([completeNode("in", "action_input"), ...nodes, completeNode("out", "return_output")], paths),
    ).map(({ code }) => code);

  test("can be read before it, and next to it, where its body cannot", () => {
    const before = ["in > a", "a > wait", "wait > out"];
    expect(codesOf([reader("{{wait.callback_url}}"), wait], before)).toEqual([]);
    expect(codesOf([reader("{{wait.body}}"), wait], before)).toEqual(["REFERENCE_NOT_UPSTREAM"]);
    expect(codesOf([reader("{{wait.callback_url}}"), wait], ["in > a", "in > wait", "wait > out", "a > out"])).toEqual(
      [],
    );
  });

  test("in a loop belongs to an iteration, so only the loop's own steps can read it", () => {
    const each = completeNode("each", "loop", { items: [1] });
    const inner = { ...wait, parentId: "each" };
    expect(
      codesOf(
        [each, inner, { ...reader("{{wait.callback_url}}"), parentId: "each" }],
        ["in > each", "a > wait", "each > out"],
      ),
    ).toEqual([]);
    expect(codesOf([each, inner, reader("{{wait.callback_url}}")], ["in > a", "a > each", "each > out"])).toEqual([
      "REFERENCE_NOT_UPSTREAM",
    ]);
  });
});
