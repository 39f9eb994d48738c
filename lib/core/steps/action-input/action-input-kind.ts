import { defineStepKind } from "#lib/core/steps/define-step-kind";
import { propertyShape } from "#lib/core/steps/property-shape";

export const actionInputKind = defineStepKind({
  type: "action_input",
  title: "Action Input",
  category: "input_output",
  description: "Define the input that callers send to the action",
  guidance:
    "A callable workflow has exactly one. Its properties become the action's inputSchema. A property of type object can have properties, in the same form. A property of type array can have items, in the same form without a name.",
  keywords: "start entry parameters arguments caller schema manual",
  newData: () => ({ properties: [] }),
  example: { properties: [{ name: "amount", type: "number", required: true, description: "Amount in euros" }] },
  least: { properties: [] },
  output: "the input with defaults filled in, read as {{action_input.amount}}",
  outputShape: (data) => propertyShape(data.properties),
  templates: [],
  starts: "callable",
  fitsInLoop: false,
  max: 1,
  effects: "none",
  handler: async () => (await import("#lib/core/steps/action-input/action-input")).prepareActionInput,
});
