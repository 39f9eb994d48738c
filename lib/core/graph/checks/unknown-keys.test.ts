import { expect, test } from "vitest";
import type { NodeType } from "#lib/contract/workflow/graph";
import { findUnknownKeys } from "#lib/core/graph/checks/unknown-keys";
import { applyGraphOperations } from "#lib/core/graph/edits/apply-graph-operations";
import { graphOperationSchema } from "#lib/core/graph/edits/graph-operations";
import { completeNode } from "#lib/core/graph/graph.fixture";
import { STEP_KINDS, STEP_TYPES } from "#lib/core/steps/step-kinds";

const RULE = { left: "1", operator: "equals", right: 1 };

test.each([
  [
    "code",
    { maxRetrys: 2 },
    'error maxRetrys is not a setting of this step; did you mean "maxRetries"?',
    { maxRetries: 2 },
  ],
  [
    "condition",
    { rules: [{ ...RULE, rigth: 2 }] },
    'error rules.0.rigth is not a setting of this step; did you mean "right"?',
    null,
  ],
  [
    "action_input",
    { properties: [{ name: "a", type: "string", requird: true }] },
    'did you mean "required"?',
    { properties: [{ name: "a", type: "string", required: true }] },
  ],
  [
    "switch",
    { cases: [{ id: "a", rules: [{ ...RULE, extra: 1 }] }] },
    "error cases.0.rules.0.extra is not a setting of this step; remove it, because nothing reads it",
    { cases: [{ id: "a", rules: [RULE] }] },
  ],
  [
    "trigger",
    { kind: "schedule", mode: "cron", expression: "0 9 * * *", timeZone: "UTC" },
    'did you mean "timezone"?',
    { kind: "schedule", mode: "cron", expression: "0 9 * * *", timezone: "UTC" },
  ],
  ["loop", { items: "", shade: "red" }, "error shade is not a setting of this step; remove it", { items: "" }],
] satisfies [NodeType, object, string, object | null][])(
  "a key of %s that nothing reads is reported: %j",
  (type, data, words, fixed) => {
    const node = { ...completeNode("work", type), data: { ...data } };
    const [problem, ...others] = findUnknownKeys(node);
    expect(others).toEqual([]);
    expect(`${problem?.severity} ${problem?.message.replace("work: ", "")}`).toContain(words);
    if (fixed === null) return;
    const operation = graphOperationSchema.parse(problem?.fix);
    const [mended] = applyGraphOperations({ nodes: [node], edges: [] }, [operation]).nodes;
    expect(mended?.data).toEqual(fixed);
    expect(mended && findUnknownKeys(mended)).toEqual([]);
  },
);

test("what a service or a model reads may have any key", () => {
  const params = { url: "https://a.test", anything: { at: "all" } };
  expect(findUnknownKeys(completeNode("work", "connector", { params }))).toEqual([]);
  expect(findUnknownKeys(completeNode("work", "llm", { output_schema: { type: "object", any: 1 } }))).toEqual([]);
  expect(findUnknownKeys(completeNode("work", "transform", { fields: [{ name: "a", value: { b: 1 } }] }))).toEqual([]);
});

test.each(STEP_TYPES)("new and exemplary data of %s has no unknown key", (type) => {
  const { newData, example, least } = STEP_KINDS[type];
  for (const data of [newData(), example, least]) {
    expect(findUnknownKeys({ ...completeNode("work", type), data })).toEqual([]);
  }
});
