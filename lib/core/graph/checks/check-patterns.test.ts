import { RE2JS } from "re2js";
import { expect, test, vi } from "vitest";
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

test("the patterns of a definition are compiled until they are too large together, and the first above is reported", () => {
  const compile = vi.spyOn(RE2JS, "compile");
  const rules = Array.from({ length: 100 }, (_, index) => ({
    left: "a",
    operator: "matches",
    right: `${index}[a-z]{1,1000}`,
  }));
  const problems = checkPatterns(definition([completeNode("check", "condition", { rules })], []));
  expect(problems.map(({ field }) => field)).toEqual(["rules.3.right"]);
  expect(problems[0]?.message).toContain("All patterns together unfold to more than 8,000 parts");
  expect(compile).toHaveBeenCalledTimes(3);
  compile.mockRestore();
});
