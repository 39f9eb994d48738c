import { describe, expect, it } from "vitest";
import type { StepContext } from "#lib/core/engine/plan";
import { completeNode } from "#lib/core/graph/graph.fixture";
import { prepareSwitch } from "#lib/core/steps/switch/switch";
import { switchKind } from "#lib/core/steps/switch/switch-kind";

const rule = (left: unknown, operator: string, right?: unknown) => ({ left, operator, right });
const cases = [
  { id: "big", match: "all", rules: [rule("{{n.total}}", "greater_than", 100)] },
  { id: "odd", match: "any", rules: [rule("{{n.total}}", "equals", 1), rule("{{n.total}}", "equals", 3)] },
  { id: "also_big", match: "all", rules: [rule("{{n.total}}", "greater_than", 10)] },
];

async function choose(total: unknown, of: unknown = cases) {
  const prepared = prepareSwitch(completeNode("s", "switch", { cases: of }));
  const input = prepared.resolveInput({ n: { total } }, {}, []);
  const output = await prepared.execute(input, {} as StepContext);
  return { output, handle: switchKind.chosenHandle?.(output) };
}

describe("a switch (decisions, The graph document)", () => {
  it.each([
    [200, "big"],
    [3, "odd"],
    [50, "also_big"],
    [2, "default"],
    [null, "default"],
  ])("takes the first case that matches, for %j: %s", async (total, handle) => {
    expect(await choose(total)).toEqual({ output: { case: handle }, handle });
  });

  it("does not evaluate the cases after the one it takes", async () => {
    const broken = { id: "broken", match: "all", rules: [rule("{{n.total}}", "matches", "(")] };
    expect(await choose(200, [cases[0], broken])).toMatchObject({ handle: "big" });
    await expect(choose(1, [cases[0], broken])).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("cannot be prepared without cases or with a case called default", () => {
    expect(() => prepareSwitch(completeNode("s", "switch", { cases: [] }))).toThrow(/at least one case/);
    const named = [{ ...cases[0], id: "default" }];
    expect(() => prepareSwitch(completeNode("s", "switch", { cases: named }))).toThrow(/must not be "default"/);
  });
});
