import { expect, test } from "vitest";
import { checkPatterns } from "#lib/core/graph/checks/check-patterns";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

test("an invalid pattern is reported at its field before the workflow is published", () => {
  const rules = [
    { left: "a", operator: "matches", right: "^a+$" },
    { left: "a", operator: "matches", right: "(a" },
    { left: "a", operator: "matches", right: "{{start.pattern}}" },
    { left: "a", operator: "equals", right: "(a" },
  ];
  const cases = [
    { id: "one", rules: "none yet" },
    { id: "two", rules },
  ];
  const nodes = [
    completeNode("check", "condition", { rules }),
    completeNode("draft", "condition", { rules: "none yet" }),
    completeNode("choose", "switch", { cases }),
    completeNode("keep", "filter", { rules }),
  ];
  expect(checkPatterns(definition(nodes, [])).map(({ code, node_id, field }) => [code, node_id, field])).toEqual([
    ["INVALID_PATTERN", "check", "rules.1.right"],
    ["INVALID_PATTERN", "choose", "cases.1.rules.1.right"],
    ["INVALID_PATTERN", "keep", "rules.1.right"],
  ]);
  expect(checkPatterns(definition(nodes, []))[0]?.message).toContain("(a");
});
