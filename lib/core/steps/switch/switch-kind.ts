import type { JsonObject } from "#lib/contract/wire/json-schema";
import { closedObject, scalar } from "#lib/core/shapes/shape";
import { type Branch, defineStepKind } from "#lib/core/steps/define-step-kind";
import { isJsonObject } from "#lib/support/json";

/** The handle that is taken if no case matches. */
export const DEFAULT_CASE = "default";

export const switchKind = defineStepKind({
  type: "switch",
  title: "Switch",
  category: "logic",
  description: "Take the branch of the first case that matches",
  guidance: `The id of a case is its handle; ${DEFAULT_CASE} is taken if no case matches.`,
  keywords: "case branch route several if else",
  newData: () => ({
    cases: [{ id: "case_1", name: "Case 1", match: "all", rules: [{ left: "", operator: "equals", right: "" }] }],
  }),
  example: {
    cases: [
      {
        id: "large",
        name: "Large",
        match: "all",
        rules: [{ left: "{{action_input.amount}}", operator: "greater_than", right: 100 }],
      },
    ],
  },
  least: { cases: [{ id: "one", match: "all", rules: [{ left: "1", operator: "exists" }] }] },
  output: "{case}",
  outputShape: () => closedObject(["case", scalar("string"), `The id of the case that matched, or ${DEFAULT_CASE}`]),
  branches: (data) => [...caseBranches(data), { handle: DEFAULT_CASE, label: "Default" }],
  chosenHandle: (output) => (output as { case: string }).case,
  templates: ["cases.*.rules.*.left", "cases.*.rules.*.right"],
  ruleLists: ["cases.*.rules"],
  repeatsSettings: false,
  effects: "none",
  handler: async () => (await import("#lib/core/steps/switch/switch")).prepareSwitch,
});

function caseBranches({ cases }: JsonObject): Branch[] {
  if (!Array.isArray(cases)) return [];
  return cases.filter(isJsonObject).flatMap((item) => {
    const { id } = item;
    return typeof id === "string" && id !== "" ? [{ handle: id, label: nameOfCase(item) ?? id }] : [];
  });
}

/** Returns the name of a case; without one, the plain text that its only rule expects. */
export function nameOfCase({ name, rules }: JsonObject): string | null {
  if (typeof name === "string" && name !== "") return name;
  const [rule, ...others] = Array.isArray(rules) ? rules : [];
  if (others.length > 0 || !isJsonObject(rule) || rule.operator !== "equals") return null;
  const { right } = rule;
  return typeof right === "string" && right !== "" && !right.includes("{{") ? right : null;
}
