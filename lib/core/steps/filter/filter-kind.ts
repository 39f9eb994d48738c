import { LIMITS } from "#lib/contract/limits";
import { closedObject, listShape, scalar } from "#lib/core/shapes/shape";
import { defineStepKind } from "#lib/core/steps/define-step-kind";
import { itemOf, itemShape } from "#lib/core/steps/item-shape";

export const filterKind = defineStepKind({
  type: "filter",
  title: "Filter",
  category: "data",
  description: "Keep the items of a list that match your rules",
  guidance:
    `Rules work as in condition and are checked for each item. {{id.item}} and {{id.index}}, the current item and its ` +
    `index, are only available inside rules. A list can have at most ${LIMITS.loopIterations} items.`,
  keywords: "select where array search remove match",
  newData: () => ({ items: "", match: "all", rules: [{ left: "", operator: "equals", right: "" }] }),
  example: {
    items: "{{action_input.orders}}",
    match: "all",
    rules: [{ left: "{{filter_1.item.total}}", operator: "greater_than", right: 100 }],
  },
  least: { items: "{{action_input.items}}", match: "all", rules: [{ left: "1", operator: "exists" }] },
  output: "{items, count}; rules read {{id.item}} and {{id.index}}",
  outputShape: ({ items }, { shapeOf }) =>
    closedObject(
      ["items", listShape(itemOf(shapeOf(items))), "The items that match, in their original order"],
      ["count", scalar("integer"), "The number of items that match"],
    ),
  itemShape,
  templates: ["items"],
  bodyTemplates: ["rules.*.left", "rules.*.right"],
  ruleLists: ["rules"],
  typedFields: ({ items }) => [{ field: "items", template: items, expected: "array" }],
  effects: "none",
  handler: async () => (await import("#lib/core/steps/filter/filter")).prepareFilter,
});
