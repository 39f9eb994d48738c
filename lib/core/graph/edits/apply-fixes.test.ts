import { expect, test } from "vitest";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { applyFixes } from "#lib/core/graph/edits/apply-fixes";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

const start = completeNode("start", "action_input", {
  properties: [{ name: "amount", type: "number", required: true }],
});
const returns = (...values: string[]) =>
  completeNode("end", "return_output", {
    properties: values.map((value, at) => ({ name: `p${at}`, type: "number", value })),
  });
const check = (draft: Parameters<typeof validateGraph>[0]) => validateGraph(draft);

test("two fixes of one list are both applied, although each replaces the whole list", async () => {
  const draft = definition([start, returns("{{action_input.amuont}}", "{{action_imput.amount}}")], ["start > end"]);
  const { definition: fixed, applied } = await applyFixes(draft, check);
  expect(check(fixed)).toEqual([]);
  expect(applied.map(({ field }) => field)).toEqual(["properties.0.value", "properties.1.value"]);
  expect(fixed.nodes[1]).toEqual(returns("{{action_input.amount}}", "{{action_input.amount}}"));
});

test("a fix that shows another problem is followed by the fix of that one", async () => {
  const draft = definition([start, returns("{{action_imput.amuont}}")], ["start > end"]);
  const { definition: fixed, applied } = await applyFixes(draft, check);
  expect(applied).toHaveLength(2);
  expect(fixed.nodes[1]).toEqual(returns("{{action_input.amount}}"));
});

test("a definition without fixes stays the same object, and one whose fixes lead nowhere is not changed forever", async () => {
  const draft = definition([start, returns("{{nothing.like.this}}")], ["start > end"]);
  expect(await applyFixes(draft, check)).toEqual({ definition: draft, applied: [] });
  let checks = 0;
  const { applied } = await applyFixes(draft, (current) => {
    checks += 1;
    const fix = { op: "update_node", node_id: "end", data: { name: `${checks}` } };
    return [{ ...check(current)[0], severity: "error", code: "CYCLE", message: String(checks), fix }];
  });
  expect([checks, applied.length]).toEqual([8, 8]);
});

test("a fix that does not fit anymore is left out, and the others are applied", async () => {
  const draft = definition([start, returns("{{action_input.amuont}}")], ["start > end"]);
  const gone = { severity: "error", code: "CYCLE", message: "", fix: { op: "remove_node", node_id: "gone" } } as const;
  const { applied } = await applyFixes(draft, (current) => [gone, ...check(current)]);
  expect(applied.map(({ code }) => code)).toEqual(["UNKNOWN_INPUT_FIELD"]);
});
