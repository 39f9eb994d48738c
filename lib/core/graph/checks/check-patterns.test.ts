import { expect, test } from "vitest";
import { checkPatterns } from "#lib/core/graph/checks/check-patterns";
import { definition, node } from "#lib/core/graph/graph.fixture";

test("a pattern that cannot be read is a problem at its field before anything is published", () => {
  const rules = [
    { left: "a", operator: "matches", right: "^a+$" },
    { left: "a", operator: "matches", right: "(a" },
    { left: "a", operator: "matches", right: "{{start.pattern}}" },
    { left: "a", operator: "equals", right: "(a" },
  ];
  const nodes = [node("check", "condition", { rules }), node("draft", "condition", { rules: "none yet" })];
  expect(checkPatterns(definition(nodes, []))).toEqual([
    { code: "INVALID_PATTERN", message: expect.stringContaining("(a"), node_id: "check", field: "rules.1.right" },
  ]);
});
