import { expect, test } from "vitest";
import type { StepItem } from "#lib/contract/run/journal";
import { analyse } from "@/components/canvas/document/analysis";
import { testNode } from "@/components/canvas/document/test-definition";
import { inputShapeOf } from "@/components/canvas/kinds/code/script/input-shape";
import { typeText } from "@/components/canvas/kinds/code/script/type-text";
import type { Known } from "@/components/canvas/samples/known-values";
import { RUN } from "@/components/testing/sample-objects.fixture";

const PROPERTIES = [
  { name: "orders", type: "array" },
  { name: "amount", type: "number", required: true },
];
const START = testNode("start", "action_input", 0, 0, { properties: PROPERTIES });
const CALL = testNode("call", "connector", 0, 100, { connector: "http", operation: "request", params: {} });
const NOTHING: Known = { pins: {}, results: {}, samples: {} };

function typeOf(input: Record<string, unknown>, known: Partial<Known> = {}) {
  const code = testNode("code", "code", 0, 200, { source: "return 1", input });
  const edges = [
    { id: "a", source: "start", target: "call" },
    { id: "b", source: "call", target: "code" },
  ];
  const analysis = analyse({ nodes: [START, CALL, code], edges });
  return typeText(inputShapeOf(code, analysis, { ...NOTHING, ...known }));
}

function ran(nodeId: string, changes: Partial<StepItem>): Partial<Known> {
  const step: StepItem = {
    step_id: nodeId,
    name: nodeId,
    type: "code",
    status: "completed",
    attempt: 1,
    iteration: null,
    started_at: RUN.started_at,
    completed_at: RUN.completed_at,
    duration_ms: 10,
    input: null,
    output: null,
    error: null,
    truncated: false,
    reused: false,
    ...changes,
  };
  return { results: { [nodeId]: { step, runId: RUN.run_id } } };
}

test("declared values have their declared types, and texts around expressions are texts", () => {
  expect(typeOf({ amount: "{{action_input.amount}}", text: "Sum {{action_input.amount}}", fix: 5 })).toBe(
    "{ amount: number; text: string; fix: number }",
  );
});

test("a value that no step declares has the shape of what its step returned last", () => {
  const output = { status: 200, body: { items: [{ sku: "a", price: 2.5 }] } };
  expect(typeOf({ body: "{{call.body}}" })).toBe("{ body: unknown }");
  expect(typeOf({ body: "{{call.body}}" }, ran("call", { output }))).toBe(
    "{ body: { items: { sku: string; price: number }[] } }",
  );
  expect(typeOf({ body: "{{call.body}}" }, { pins: { call: { value: output, fromRunId: null } } })).toBe(
    "{ body: { items: { sku: string; price: number }[] } }",
  );
});

test("a value that only a run can show has the shape of what the step received last", () => {
  const input = { body: { a: true } };
  expect(typeOf({ body: "{{call.body}}" }, ran("code", { input }))).toBe("{ body: { a: boolean } }");
  expect(typeOf({ body: "{{call.body}}" }, ran("code", { input, truncated: true }))).toBe("{ body: unknown }");
});

test("a list that is declared without its items has the items of the last value", () => {
  expect(typeOf({ orders: "{{action_input.orders}}" }, ran("start", { output: { orders: [{ id: 1 }] } }))).toContain(
    "{ id: number }[]",
  );
});
