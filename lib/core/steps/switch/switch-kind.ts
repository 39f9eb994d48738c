import { z } from "zod";
import type { JsonObject } from "#lib/contract/json-schema";
import { conditionFields } from "#lib/core/expressions/condition-data";
import { closedObject, scalar } from "#lib/core/shapes/shape";
import { type Branch, defineStepKind } from "#lib/core/steps/define-step-kind";
import { label } from "#lib/core/steps/node-data";
import { isJsonObject } from "#lib/support/json";

/** The handle that is taken if no case matches. */
export const DEFAULT_CASE = "default";

const switchCase = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must contain only letters, digits, _ and - (up to 64)"),
  name: z.string().max(200, "must be at most 200 characters long").optional(),
  ...conditionFields,
});
export type SwitchCase = z.output<typeof switchCase>;

const cases = z
  .array(switchCase)
  .min(1, "must contain at least one case")
  .max(50, "must contain at most 50 cases")
  .superRefine((cases, context) => {
    const seen = new Set<string>([DEFAULT_CASE]);
    for (const [index, { id }] of cases.entries()) {
      const message = id === DEFAULT_CASE ? `must not be "${id}"` : `must be unique; "${id}" is used twice`;
      if (seen.has(id)) context.addIssue({ code: "custom", path: [index, "id"], message });
      seen.add(id);
    }
  });

export const switchKind = defineStepKind({
  type: "switch",
  title: "Switch",
  category: "logic",
  description: "Take the branch of the first case that matches",
  guidance: `The id of a case is its handle; ${DEFAULT_CASE} is taken if no case matches.`,
  keywords: "case branch route several if else",
  data: z.object({ ...label, cases }),
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
