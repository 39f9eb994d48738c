import { expect, test } from "vitest";
import type { StepItem } from "#lib/contract/journal";
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

test("one step alone gets the outputs of everything before it; what was skipped is skipped again", () => {
  const known = given({ over_500: { result: true }, refund: { status: 200 } }, { decline: "skipped" });
  expect(pinsForStep(ANALYSIS, "end", known)).toEqual({
    pins: {
      over_500: { value: { result: true }, fromRunId: "run-1" },
      refund: { value: { status: 200 }, fromRunId: "run-1" },
    },
  });
});

test("without an output it is said whose is missing, and a failed step's is none", () => {
  expect(pinsForStep(ANALYSIS, "end", given({ over_500: {} }, { refund: "failed", decline: "skipped" }))).toEqual({
    refusal: "Refund has no output yet.",
  });
  expect(pinsForStep(ANALYSIS, "refund", given({}))).toEqual({ refusal: "Over 500 has no output yet." });
});

test("a person's own pin comes before what a run gave", () => {
  const pins = { over_500: { value: { result: false }, fromRunId: null } };
  const plan = pinsForStep(ANALYSIS, "decline", { ...given({ over_500: { result: true } }), pins });
  expect(plan).toEqual({ pins });
});

test("a step inside a loop does not run alone", () => {
  const definition = {
    nodes: [testNode("each", "loop", 0, 0), { ...testNode("in", "delay", 0, 0), parentId: "each" }],
    edges: [],
  };
  expect(pinsForStep(analyse(definition), "in", given({}))).toHaveProperty("refusal");
});

test("from a step on, the step and what follows are executed; all else is taken, but for pins of a person further down", () => {
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

test("a loop that lies before is taken whole, and from inside a loop nothing starts", () => {
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

test("pins of nodes that are gone are not sent, and hidden values name the run that knows them", () => {
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
