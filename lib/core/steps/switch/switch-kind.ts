import { z } from "zod";
import type { JsonObject } from "#lib/contract/json-schema";
import { DEFAULT_CASE, switchFields } from "#lib/core/expressions/condition-data";
import { type Branch, defineStepKind } from "#lib/core/steps/define-step-kind";
import { label } from "#lib/core/steps/node-data";
import { isJsonObject } from "#lib/support/json";

export const switchKind = defineStepKind({
  type: "switch",
  title: "Switch",
  description: "Go one of several ways: the first case that holds",
  guidance: `A case's id is its handle; ${DEFAULT_CASE} is taken when no case holds.`,
  keywords: "case branch route several if else",
  data: z.object({ ...label, ...switchFields }),
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
  outputFields: () => [
    { path: ["case"], type: "string", description: `The id of the case that was taken, or ${DEFAULT_CASE}` },
  ],
  branches: (data) => [...caseBranches(data), { handle: DEFAULT_CASE, label: "Otherwise" }],
  chosenHandle: (output) => (output as { case: string }).case,
  templates: ["cases.*.rules.*.left", "cases.*.rules.*.right"],
  ruleLists: ["cases.*.rules"],
  effects: "none",
  handler: async () => (await import("#lib/core/steps/switch/switch")).prepareSwitch,
});

function caseBranches({ cases }: JsonObject): Branch[] {
  if (!Array.isArray(cases)) return [];
  return cases.filter(isJsonObject).flatMap(({ id, name }) => {
    if (typeof id !== "string" || id === "") return [];
    return [{ handle: id, label: typeof name === "string" && name !== "" ? name : id }];
  });
}
