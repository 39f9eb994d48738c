import { describe, expect, test } from "vitest";
import type { ConditionOperator } from "#lib/contract/workflow/condition-operators";
import { evaluateRules } from "#lib/core/expressions/evaluate-rules";
import { templateBudget } from "#lib/core/expressions/template-budget";
import { resolveRules } from "#lib/core/steps/resolve-rules";

const SCOPE = {
  user: { path: "/tenants/7", email: "eve@evil.example", name: null, tags: ["a", ""] },
  tenant: {},
  none: null,
};

function holds(left: unknown, operator: ConditionOperator, right: unknown): boolean {
  return evaluateRules("all", resolveRules([{ left, operator, right }], SCOPE));
}

describe("a part that is looked for, with an expression that has no value", () => {
  test.each<[left: string, operator: ConditionOperator, right: string]>([
    ["{{user.path}}", "starts_with", "{{tenant.prefix}}/"],
    ["{{user.path}}", "starts_with", "/{{tenant.prefix}}"],
    ["{{user.email}}", "ends_with", "{{tenant.dot}}.example"],
    ["{{user.email}}", "contains", "@{{none.domain}}"],
    ["{{user.email}}", "matches", "{{tenant.domain}}$"],
    ["{{user.email}}", "matches", "^{{user.name}}"],
    ["{{user.email}}", "matches", "(?i){{tenant.domain}}"],
    ["{{user.email}}", "matches", ".*{{tenant.domain}}.*"],
    ["{{user.email}}", "matches", "{{user.path}}|{{tenant.domain}}"],
    ["{{user.tags}}", "contains", "{{tenant.a}}{{tenant.b}}"],
    ["{{user.path}}", "starts_with", "{{upper(tenant.prefix)}}/"],
    ["{{user.path}}", "starts_with", "{{tenant.prefix ?? tenant.other}}/"],
  ])("%s %s %j is in nothing, instead of letting everyone in", (left, operator, right) => {
    expect(holds(left, operator, right)).toBe(false);
  });

  test("is not contained, so the negation is true", () => {
    expect(holds("{{user.path}}", "not_contains", "{{tenant.prefix}}/")).toBe(true);
  });

  test("is null in the input of the step, and a warning names the path", () => {
    const budget = templateBudget();
    const rules = resolveRules([{ left: "x", operator: "starts_with", right: "{{tenant.prefix}}/" }], SCOPE, budget);
    expect(rules).toEqual([{ left: "x", operator: "starts_with", right: null }]);
    expect(budget.unresolved).toMatchObject([{ field: "rules.0.right", path: "tenant.prefix" }]);
  });
});

describe("what has a value is compared as it was", () => {
  test.each<[left: string, operator: ConditionOperator, right: string]>([
    ["{{user.path}}", "starts_with", '{{tenant.prefix ?? ""}}/'],
    ["{{user.path}}", "starts_with", '{{default(tenant.prefix, "")}}/tenants'],
    ["{{user.email}}", "matches", "^{{slice(user.email, 0, 3)}}@"],
    // The left side is the text that is searched: a missing part of it is an empty one.
    ["{{user.name}} {{user.path}}", "ends_with", "tenants/7"],
    // These compare whole values.
    ["order-{{tenant.id}}", "equals", "order-{{none.id}}"],
  ])("%s %s %j", (left, operator, right) => {
    expect(holds(left, operator, right)).toBe(true);
  });
});
