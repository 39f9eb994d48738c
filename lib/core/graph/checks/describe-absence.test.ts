import { expect, test } from "vitest";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

const start = completeNode("start", "action_input", {
  properties: [
    { name: "amount", type: "number", required: true },
    { name: "note", type: "string", required: false },
    { name: "kind", type: "string", required: false, default: "a" },
  ],
});
const check = completeNode("check", "condition", { name: "Large?" });
const yes = completeNode("yes", "connector", { name: "Ask", continueOnFailure: true });
const no = completeNode("no", "llm", {
  output_schema: {
    type: "object",
    properties: { label: { type: "string" }, score: { type: ["number", "null"] } },
    required: ["score"],
  },
});
const EDGES = [
  "start > check",
  "check.true > yes",
  "check.false > no",
  "yes > end",
  "no > end",
  "yes > next",
  "no > also",
];

/** Warnings about a value that each of three steps reads: where both branches meet, and on each branch. */
function warned(value: unknown, at: "end" | "next" | "also" = "end", nodes: GraphNode[] = []): string[] {
  const end = (id: string) => completeNode(id, "transform", { fields: [{ name: "x", value: id === at ? value : "" }] });
  const out = completeNode("out", "return_output");
  const drawn = definition(
    [start, check, yes, no, end("end"), end("next"), end("also"), out, ...nodes],
    [...EDGES, "end > out", "next > out", "also > out"],
  );
  return validateGraph(drawn).flatMap(({ code, severity, message }) =>
    code === "MAY_BE_EMPTY" ? [`${severity}: ${message.replace(/^.*? in fields\.0\.value /, "")}`] : [],
  );
}
const empty = (when: string) => [`warning: is empty if ${when}. If that is intended, add a fallback with ??`];

test.each([
  ["{{action_input.note}}", "end", empty('the caller leaves out "note"')],
  ["{{yes.status}}", "end", empty('"Ask" is skipped, which happens when "Large?" takes a branch other than "true"')],
  ["{{yes.status}}", "next", empty('"Ask" fails, because the run continues')],
  ["{{no.object.label}}", "also", empty('the output of "no" has no "object.label"')],
  ["{{no.object.score}}", "also", empty('"object.score" of "no" is null')],
] as const)("%s in %s is reported with the case in which it is empty", (value, at, expected) => {
  expect(warned(value, at)).toEqual(expected);
});

test.each([
  ["a required input", "{{action_input.amount}}", "end"],
  ["an input with a default", "{{action_input.kind}}", "end"],
  ["a step before the branches", "{{check.result}}", "end"],
  ["a step on the same branch", "{{no.text}}", "also"],
  ["a field of an open object", "{{no.object.more}}", "also"],
  ["what one of two branches produced", "{{yes.body}}{{no.text}}", "end"],
  ["a value with a fallback", '{{action_input.note ?? ""}}', "end"],
  ["a value with a default", '{{default(yes.status, "none")}}', "end"],
] as const)("%s is not reported", (_, value, at) => {
  expect(warned(value, at)).toEqual([]);
});

test("a rule may ask whether a value exists", () => {
  const asks = completeNode("asks", "condition", { rules: [{ left: "{{action_input.note}}", operator: "exists" }] });
  const drawn = definition([start, asks, completeNode("end", "return_output")], ["start > asks", "asks.true > end"]);
  expect(validateGraph(drawn).filter(({ code }) => code === "MAY_BE_EMPTY")).toEqual([]);
});

/** Warnings about the value of a field of a step that runs after the Failed branches of others. */
function warnedAfter(edges: readonly string[], value: string, type: "transform" | "code" = "transform"): string[] {
  const call = completeNode("call", "connector", { name: "Call" });
  const other = completeNode("other", "connector", { name: "Other" });
  const data = type === "code" ? { input: { x: value } } : { fields: [{ name: "x", value }] };
  const nodes = [start, call, other, completeNode("handle", type, data), completeNode("out", "return_output")];
  const drawn = definition(nodes, ["start > call", "call > other", ...edges, "handle > out"]);
  return validateGraph(drawn).flatMap(({ code, message }) =>
    code === "MAY_BE_EMPTY" ? [message.replace(/^.*? in \S+ /, "")] : [],
  );
}
const OPTIONAL = 'the output of "Call" has no';

test.each([
  ["the error of the step whose Failed branch leads here", ["call.failed > handle"], "{{call.error.message}}", []],
  ["its code", ["call.failed > handle"], "{{call.error.code}}", []],
  ["the error as a whole", ["call.failed > handle"], "{{call.error}}", []],
  ["a part that only some errors have", ["call.failed > handle"], "{{call.error.status}}", [OPTIONAL]],
  ["the output of a step that failed", ["call.failed > handle"], "{{call.body.id}}", ['"Call" is skipped']],
  ["the error of one of two", ["call.failed > handle", "other.failed > handle"], "{{call.error.code}}", ["skipped"]],
  ["the error of a step that completed", ["other.failed > handle"], "{{call.error.code}}", []],
] as const)("on a Failed branch, %s is reported only if it can be absent", (_, edges, value, expected) => {
  expect(warnedAfter(edges, value)).toEqual(expected.map((words) => expect.stringContaining(words)));
});

test("a value that code receives as it is may be null, and text around it may not", () => {
  const branch = ["call.failed > handle"];
  expect(warnedAfter(branch, "{{action_input.note}}", "code")).toEqual([]);
  expect(warnedAfter(branch, "Note: {{action_input.note}}", "code")).toHaveLength(1);
});
