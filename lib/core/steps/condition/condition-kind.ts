import { UNARY_OPERATORS } from "#lib/contract/workflow/condition-operators";
import { closedObject, scalar } from "#lib/core/shapes/shape";
import { defineStepKind } from "#lib/core/steps/define-step-kind";

export const conditionKind = defineStepKind({
  type: "condition",
  title: "Condition",
  category: "logic",
  description: "Take the True branch if the rules match, otherwise the False branch",
  guidance: `right can be left out for ${UNARY_OPERATORS.join(", ")}.`,
  keywords: "if else branch filter decide compare",
  newData: () => ({ match: "all", rules: [{ left: "", operator: "equals", right: "" }] }),
  example: { match: "all", rules: [{ left: "{{action_input.amount}}", operator: "greater_than", right: 100 }] },
  least: { match: "all", rules: [{ left: "1", operator: "exists" }] },
  output: "{result}",
  outputShape: () => closedObject(["result", scalar("boolean"), "Whether the rules matched"]),
  branches: () => [
    { handle: "true", label: "True" },
    { handle: "false", label: "False" },
  ],
  chosenHandle: (output) => String((output as { result: boolean }).result),
  templates: ["rules.*.left", "rules.*.right"],
  ruleLists: ["rules"],
  repeatsSettings: false,
  effects: "none",
  handler: async () => (await import("#lib/core/steps/condition/condition")).prepareCondition,
});
