import { expect, test } from "vitest";
import type { StepItem } from "#lib/contract/run/journal";
import { analyse } from "@/components/canvas/document/analysis";
import { branchingDefinition, testNode } from "@/components/canvas/document/test-definition";
import type { TestState } from "@/components/canvas/store/test-store";
import { asRequest, pinsForStep, pinsFromStep } from "@/components/canvas/testing/choose-pins";

const ANALYSIS = analyse(branchingDefinition());

function given(outputs: Record<string, unknown>, statuses: Record<string, StepItem["status"]> = {}) {
  const ids = [...Object.keys(outputs), ...Object.keys(statuses)];
  const results = ids.map((id): [string, TestState["results"][string]] => {
    const step = { step_id: id, status: statuses[id] ?? "completed", output: outputs[id] ?? null } as StepItem;
    return [id, { step, runId: "run-1" }];
  });
  return { pins: {}, results: Object.fromEntries(results) };
}

test("testing one step pins the outputs of all steps before it, and skipped steps stay skipped", () => {
  const known = given({ over_500: { result: true }, refund: { status: 200 } }, { decline: "skipped" });
  expect(pinsForStep(ANALYSIS, "end", known)).toEqual({
    pins: {
      over_500: { value: { result: true }, fromRunId: "run-1" },
      refund: { value: { status: 200 }, fromRunId: "run-1" },
    },
  });
});

test("a missing output is reported by its step, and a failed step has none", () => {
  expect(pinsForStep(ANALYSIS, "end", given({ over_500: {} }, { refund: "failed", decline: "skipped" }))).toEqual({
    refusal: "Refund has no output yet.",
  });
  expect(pinsForStep(ANALYSIS, "refund", given({}))).toEqual({ refusal: "Over 500 has no output yet." });
});

test("a user's own pin takes precedence over a run's output", () => {
  const pins = { over_500: { value: { result: false }, fromRunId: null } };
  const plan = pinsForStep(ANALYSIS, "decline", { ...given({ over_500: { result: true } }), pins });
  expect(plan).toEqual({ pins });
});

test("a step inside a loop can't be tested alone", () => {
  const definition = {
    nodes: [testNode("each", "loop", 0, 0), { ...testNode("in", "delay", 0, 0), parentId: "each" }],
    edges: [],
  };
  expect(pinsForStep(analyse(definition), "in", given({}))).toHaveProperty("refusal");
});

test("running from a step executes it and the steps after it, keeps the user's pins of later steps, and pins all other steps", () => {
  const known = given({ over_500: { result: true }, refund: { status: 200 }, end: {} }, { decline: "skipped" });
  const pinned = { ...known, pins: { end: { value: 1, fromRunId: null }, refund: { value: 2, fromRunId: null } } };
  expect(pinsFromStep(ANALYSIS, "refund", pinned)).toEqual({
    pins: { over_500: { value: { result: true }, fromRunId: "run-1" }, end: { value: 1, fromRunId: null } },
  });
  expect(pinsFromStep(ANALYSIS, "over_500", known)).toEqual({ pins: {} });
  expect(pinsFromStep(ANALYSIS, "end", given({ over_500: {} }, { decline: "skipped" }))).toEqual({
    refusal: "Refund has no output yet.",
  });
});

test("an earlier loop is pinned as a whole, and a run can't start inside a loop", () => {
  const nodes = [
    testNode("each", "loop", 0, 0),
    { ...testNode("in", "delay", 0, 0), parentId: "each" },
    testNode("after", "delay", 0, 300),
  ];
  const analysis = analyse({ nodes, edges: [{ id: "e", source: "each", target: "after" }] });
  const loop = { value: { count: 2 }, fromRunId: "run-1" };
  expect(pinsFromStep(analysis, "after", given({ each: { count: 2 }, in: 1 }))).toEqual({ pins: { each: loop } });
  expect(pinsFromStep(analysis, "in", given({}))).toHaveProperty("refusal");
});

test("pins of deleted nodes are not sent, and redacted values name the run that knows them", () => {
  const pins = {
    a: { value: { to: "[REDACTED_EMAIL]" }, fromRunId: "run-1" },
    b: { value: 1, fromRunId: "run-2" },
    gone: { value: 1, fromRunId: null },
  };
  expect(asRequest(pins, new Set(["a", "b"]))).toEqual({
    pinned: { a: { to: "[REDACTED_EMAIL]" }, b: 1 },
    pinned_from: { a: "run-1" },
  });
});
