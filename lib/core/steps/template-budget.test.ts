import { expect, test, vi } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { resolveRules } from "#lib/core/steps/resolve-rules";

const large = { text: "x".repeat(1_000_000) };

test("a template that repeats a large object is refused before the object that does not fit is serialized", () => {
  const stringify = vi.spyOn(JSON, "stringify");
  expect(() => resolveTemplate("{{a}}".repeat(1_000), { a: large })).toThrow("exceed 10 MiB");
  expect(stringify).toHaveBeenCalledTimes(10);
  stringify.mockRestore();
});

test("the rules of a condition share one budget for their texts", () => {
  const rule = { left: "{{a}}{{a}}{{a}}", operator: "equals" as const, right: "1" };
  expect(resolveRules([rule, rule, rule], { a: large })).toHaveLength(3);
  expect(() => resolveRules([rule, rule, rule, rule], { a: large })).toThrow("exceed 10 MiB");
});

test("a step with too many expressions is refused before they are parsed", () => {
  const fields = Array.from({ length: 3 }, () => "{{a}} ".repeat(LIMITS.expressions / 2));
  expect(() => resolveTemplate(fields, { a: 1 })).toThrow("A step can have at most 20,000 expressions.");
  expect(resolveTemplate(fields.slice(0, 2), { a: 1 })).toHaveLength(2);
});

test("a workflow with too many expressions cannot be published, and says so once", () => {
  const value = "{{start.a}}".repeat(LIMITS.expressions + 1);
  const step = completeNode("s0", "transform", { fields: [{ name: "a", value }] });
  const start = completeNode("start", "action_input");
  const graph = definition([start, step, completeNode("end", "return_output")], ["start > s0", "s0 > end"]);
  expect(validateGraph(graph)).toEqual([
    {
      severity: "error",
      code: "TOO_MANY_EXPRESSIONS",
      message: "A workflow can have at most 20,000 expressions. Move part of it into a sub-workflow.",
    },
  ]);
});
