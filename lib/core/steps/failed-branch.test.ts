import { describe, expect, it, test } from "vitest";
import { STEP_ERROR_CODES, StepError } from "#lib/contract/run/step-error";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { compilePlan } from "#lib/core/engine/compile-plan";
import { memoryJournal, noServices, RUN_ID, virtualClock } from "#lib/core/engine/engine.fixture";
import type { NodeHandlers } from "#lib/core/engine/plan";
import { runPipeline } from "#lib/core/engine/run-pipeline";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { handlesOf, type StepKind } from "#lib/core/steps/define-step-kind";
import { loadNodeHandlers } from "#lib/core/steps/load-node-handlers";
import { STEP_KINDS, STEP_TYPES, type StepType } from "#lib/core/steps/step-kinds";

const handlers = (await loadNodeHandlers())(() => ({ isIdempotent: () => true, call: async () => null }));
const FALLIBLE = STEP_TYPES.filter((type) => STEP_KINDS[type].canFail);

/** A workflow around one step of the kind: its ordinary branches end at once, and its Failed branch reports the error. */
function rescued(type: StepType) {
  const kind: StepKind = STEP_KINDS[type];
  const step = completeNode("it", type);
  const body = kind.holdsBody ? [{ ...completeNode("inside", "delay"), parentId: "it" }] : [];
  const report = completeNode("report", "transform", {
    fields: [
      { name: "code", value: "{{it.error.code}}" },
      { name: "text", value: "{{it.error.reason}}: {{it.error.message}} ({{it.error.status}})" },
      { name: "body", value: "{{it.error.body.id}}" },
      { name: "wait", value: "{{it.error.retryAfterMs}}" },
      { name: "output", value: "{{it}}" },
    ],
  });
  const end = completeNode("end", "return_output", {
    properties: ["code", "text", "body", "wait", "output"].map((name) => {
      return { name, type: name === "wait" ? "integer" : "string", value: `{{report.${name}}}` };
    }),
  });
  const own = kind.branches(step.data).map(({ handle }) => (handle === null ? "it" : `it.${handle}`));
  const input = completeNode("start", "action_input", { properties: [{ name: "items", type: "array" }] });
  const edges = ["start > it", ...own.map((from) => `${from} > end`), "it.failed > report", "report > end"];
  return definition([input, step, ...body, report, end], edges);
}

/** The handlers of the product; the step `it` throws. */
function failing(error: StepError): NodeHandlers {
  const refuse = () => {
    throw error;
  };
  const entries = STEP_TYPES.map((type) => [
    type,
    (node: GraphNode) => (node.id === "it" ? { ...handlers[type](node), resolveInput: refuse } : handlers[type](node)),
  ]);
  return Object.fromEntries(entries) as NodeHandlers;
}

async function run(type: StepType, error: StepError) {
  const clock = virtualClock();
  const journal = memoryJournal();
  const outcome = await runPipeline(
    {
      runId: RUN_ID,
      plan: compilePlan(rescued(type), failing(error)),
      input: { items: [] },
      traceparent: null,
      progress: new Map(),
      remainingMs: 300_000,
      signal: new AbortController().signal,
      stopping: new AbortController().signal,
    },
    {
      clock,
      random: () => 0.5,
      journal,
      untilFit: async () => {},
      takeTurn: () => null,
      services: noServices(clock),
    },
  );
  return { outcome, journal };
}

test("every kind that other steps can follow has a Failed branch, but an approval", () => {
  const without = STEP_TYPES.filter((type) => !STEP_KINDS[type].canFail);
  expect(without).toEqual(["action_input", "trigger", "approval", "return_output"]);
});

describe.each(FALLIBLE)("a step of the kind %s", (type) => {
  it.each(STEP_ERROR_CODES)(
    "that failed with %s takes its Failed branch, where its error can be read",
    async (code) => {
      const error = new StepError(code, "no", { status: 418, body: { id: "e1" }, retryAfterMs: 1_500 });
      const { outcome, journal } = await run(type, error);
      expect(outcome).toEqual({
        status: "succeeded",
        output: { code, text: `${code.toLowerCase()}: no (418)`, body: "e1", wait: 1_500, output: null },
      });
      expect(journal.names()).toEqual(expect.arrayContaining(["it:failed_continued", "report:completed"]));
    },
  );

  it("can publish edges from its Failed branch, and reads of its error", () => {
    expect(handlesOf(STEP_KINDS[type], STEP_KINDS[type].least).at(-1)).toBe("failed");
    expect(validateGraph(rescued(type)).filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

test("an approval has no Failed branch, so nothing that follows it starts without a decision", () => {
  const nodes = [
    completeNode("start", "action_input"),
    completeNode("gate", "approval"),
    completeNode("end", "return_output"),
  ];
  const problems = validateGraph(definition(nodes, ["start > gate", "gate.failed > end"]));
  expect(problems).toMatchObject([{ code: "UNKNOWN_HANDLE", node_id: "gate" }]);
});
