import { describe, expect, test } from "vitest";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode, NodeType } from "#lib/contract/workflow/graph";
import { isError } from "#lib/core/graph/checks/problem";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { type Extraction, extractSteps } from "#lib/core/graph/extract/extract-steps";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

const input = completeNode("in", "action_input", {
  properties: [
    { name: "amount", type: "number", required: true },
    { name: "note", type: "string" },
  ],
});
const shape = (id: string, fields: Record<string, unknown>, parentId?: string): GraphNode => ({
  ...completeNode(id, "transform", { fields: Object.entries(fields).map(([name, value]) => ({ name, value })) }),
  ...(parentId ? { parentId } : {}),
});
const out = (value: unknown) =>
  completeNode("out", "return_output", { properties: [{ name: "total", type: "number", value }] });
const step = (id: string, type: NodeType, data: JsonObject = {}) => completeNode(id, type, data);

const STEP = { id: "calc", name: "Calculate", slug: "calculate" };
const extract = (nodes: GraphNode[], edges: string[], ids: string[]) =>
  extractSteps(definition(nodes, edges), ids, STEP);

function extracted(extraction: Extraction) {
  if (extraction.kind === "refused") throw new Error(extraction.reason);
  return extraction;
}
const dataOf = (nodes: readonly GraphNode[], id: string) => nodes.find((node) => node.id === id)?.data;
const linesOf = ({
  edges,
}: {
  edges: { source: string; target: string; sourceHandle?: string | null | undefined }[];
}) =>
  edges
    .map(({ source, target, sourceHandle }) => `${source}${sourceHandle ? `.${sourceHandle}` : ""}>${target}`)
    .sort();
const errorsOf = (graph: Parameters<typeof validateGraph>[0]) => validateGraph(graph).filter(isError);

const LINE = [
  input,
  shape("net", { value: "{{action_input.amount}}", label: "{{action_input.note}}" }),
  shape("gross", { value: "{{net.value}}", label: '{{net.label ?? "none"}}' }),
  out("{{gross.value}}"),
];
const EDGES = ["in > net", "net > gross", "gross > out"];

describe("extracting steps", () => {
  test("makes what they read their input, typed if the type is certain and otherwise together in an object", () => {
    const { callable, replaced } = extracted(extract(LINE, EDGES, ["net", "gross"]));
    expect(dataOf(callable.nodes, "start")).toEqual({
      properties: [
        { name: "amount", type: "number", required: true },
        { name: "data", type: "object", required: true },
      ],
    });
    expect(dataOf(replaced.nodes, "calc")).toEqual({
      name: "Calculate",
      action_slug: "calculate",
      input: { amount: "{{action_input.amount}}", data: { note: "{{action_input.note}}" } },
    });
    expect(dataOf(callable.nodes, "net")).toEqual({
      fields: [
        { name: "value", value: "{{action_input.amount}}" },
        { name: "label", value: "{{action_input.data.note}}" },
      ],
    });
  });

  test("makes what later steps read its output, and rewrites these references", () => {
    const { callable, replaced } = extracted(extract(LINE, EDGES, ["net", "gross"]));
    expect(dataOf(callable.nodes, "result")).toEqual({
      properties: [{ name: "value", type: "number", required: true, value: "{{gross.value}}" }],
    });
    expect(dataOf(replaced.nodes, "out")).toMatchObject({ properties: [{ value: "{{calc.value}}" }] });
  });

  test("gives two workflows without an error, connected as before", () => {
    const { callable, replaced } = extracted(extract(LINE, EDGES, ["net", "gross"]));
    expect(linesOf(callable)).toEqual(["gross>result", "net>gross", "start>net"]);
    expect(linesOf(replaced)).toEqual(["calc>out", "in>calc"]);
    expect(errorsOf(callable)).toEqual([]);
    expect(errorsOf(replaced)).toEqual([]);
  });

  test("keeps branches that meet again at the step behind the selection", () => {
    const nodes = [
      input,
      step("check", "condition"),
      shape("yes", { a: 1 }),
      shape("no", { b: 2 }),
      out("{{yes.a ?? no.b}}"),
    ];
    const edges = ["in > check", "check.true > yes", "check.false > no", "yes > out", "no > out"];
    const { callable, replaced } = extracted(extract(nodes, edges, ["check", "yes", "no"]));
    expect(linesOf(replaced)).toEqual(["calc>out", "in>calc"]);
    expect(linesOf(callable)).toEqual(["check.false>no", "check.true>yes", "no>result", "start>check", "yes>result"]);
    expect(dataOf(callable.nodes, "result")).toEqual({
      properties: [{ name: "data", type: "object", required: true, value: { a: "{{yes.a}}", b: "{{no.b}}" } }],
    });
    expect(dataOf(replaced.nodes, "out")).toMatchObject({ properties: [{ value: "{{calc.data.a ?? calc.data.b}}" }] });
  });

  test("works inside a loop: the item becomes an input and the result of the loop reads the new step", () => {
    const each = step("each", "loop", { items: ["a"], result: "{{inner.text}}" });
    const nodes = [input, each, shape("inner", { text: "{{each.item}}" }, "each"), out(1)];
    const { callable, replaced } = extracted(extract(nodes, ["in > each", "each > out"], ["inner"]));
    expect(replaced.nodes.find(({ id }) => id === "calc")?.parentId).toBe("each");
    expect(callable.nodes.every(({ parentId }) => parentId === undefined)).toBe(true);
    expect(JSON.stringify(dataOf(replaced.nodes, "each")?.result)).toContain("{{calc.");
    expect(errorsOf(callable)).toEqual([]);
    expect(errorsOf(replaced)).toEqual([]);
  });

  test("takes a loop with its whole body", () => {
    const nodes = [input, step("each", "loop"), shape("inner", { x: 1 }, "each"), out("{{each.count}}")];
    const { callable, replaced } = extracted(extract(nodes, ["in > each", "each > out"], ["each"]));
    expect(callable.nodes.find(({ id }) => id === "inner")?.parentId).toBe("each");
    expect(replaced.nodes.map(({ id }) => id)).toEqual(["in", "calc", "out"]);
  });

  test("reads the event of a trigger as input", () => {
    const trigger = step("hook", "trigger", { kind: "webhook", scheme: "auto" });
    const nodes = [trigger, shape("net", { id: "{{trigger.output.body.id}}" }), shape("after", { y: "{{net.id}}" })];
    const { callable, replaced } = extracted(extract(nodes, ["hook > net", "net > after"], ["net"]));
    expect(dataOf(replaced.nodes, "calc")?.input).toEqual({ data: { id: "{{trigger.output.body.id}}" } });
    expect(dataOf(callable.nodes, "net")).toEqual({ fields: [{ name: "id", value: "{{action_input.data.id}}" }] });
    expect(dataOf(replaced.nodes, "after")).toEqual({ fields: [{ name: "y", value: "{{calc.data.id}}" }] });
  });

  test("keeps apart two values with the same last name", () => {
    const nodes = [
      input,
      shape("a", { id: "1" }),
      shape("b", { id: "2" }),
      shape("both", { x: "{{a.id}}", y: "{{b.id}}" }),
      out(1),
    ];
    const { replaced } = extracted(extract(nodes, ["in > a", "a > b", "b > both", "both > out"], ["both"]));
    expect(dataOf(replaced.nodes, "calc")?.input).toEqual({ id: "{{a.id}}", b_id: "{{b.id}}" });
  });
});

describe("extracting is refused with the reason if", () => {
  const check = step("check", "condition");
  const a = shape("a", { x: 1 });
  const b = shape("b", { x: 1 });
  const c = shape("c", { x: 1 });
  test.each<[string, GraphNode[], string[], string[], RegExp]>([
    ["nothing is selected", [input, out(1)], ["in > out"], [], /^Select the steps/],
    ["the start is selected", [input, a, out(1)], ["in > a", "a > out"], ["in", "a"], /starts this workflow/],
    ["an output is selected", [input, a, out(1)], ["in > a", "a > out"], ["a", "out"], /ends this workflow/],
    [
      "different steps follow different branches",
      [input, check, a, b, out(1)],
      ["in > check", "check.true > a", "check.false > b", "a > out", "b > out"],
      ["check"],
      /two exits/,
    ],
    [
      "what follows runs only on one branch",
      [input, check, a, out(1)],
      ["in > check", "check.true > a", "a > out"],
      ["check", "a"],
      /only on some of its branches/,
    ],
    [
      "its first steps start after different steps",
      [input, check, a, b, c, out(1)],
      ["in > check", "check.true > a", "check.false > b", "a > c", "b > c", "c > out"],
      ["a", "b"],
      /two entrances/,
    ],
    [
      "a step between the selected ones is left out",
      [input, a, b, c, out(1)],
      ["in > a", "a > b", "b > c", "c > out"],
      ["a", "c"],
      /"b" runs between/,
    ],
    [
      "an approval would cancel the run",
      [input, step("gate", "approval"), out(1)],
      ["in > gate", "gate > out"],
      ["gate"],
      /Draw its Rejected branch/,
    ],
    [
      "JSONata reads across the border",
      [input, a, completeNode("sum", "transform", { fields: undefined, jsonata: "a.x + 1" }), out(1)],
      ["in > a", "a > sum", "sum > out"],
      ["a"],
      /with JSONata/,
    ],
    [
      "another step passes on the address of one that waits",
      [input, shape("send", { url: "{{wait.callback_url}}" }), step("wait", "wait_for_callback"), out(1)],
      ["in > send", "send > wait", "wait.received > out"],
      ["wait"],
      /passes on the address/,
    ],
  ])("%s", (_, nodes, edges, ids, reason) => {
    expect(extract(nodes, edges, ids)).toEqual({ kind: "refused", reason: expect.stringMatching(reason) });
  });
});
