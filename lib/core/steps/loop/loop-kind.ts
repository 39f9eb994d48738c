import { closedObject, listShape, scalar } from "#lib/core/shapes/shape";
import { defineStepKind } from "#lib/core/steps/define-step-kind";
import { itemShape } from "#lib/core/steps/item-shape";

export const loopKind = defineStepKind({
  type: "loop",
  title: "Loop",
  category: "logic",
  description: "Run steps for each item of a list",
  guidance: "The body is every node whose parentId is the loop's id; no edge crosses its border.",
  keywords: "for each repeat iterate list items map",
  newData: () => ({ items: "", concurrency: 1 }),
  example: { items: "{{action_input.lines}}", concurrency: 1, result: "{{price.amount}}" },
  least: { items: "{{action_input.items}}" },
  output:
    "{results, count}; steps in the body read {{id.item}} and {{id.index}}; result is a template evaluated after " +
    "each iteration",
  outputShape: ({ result }, { shapeOf }) =>
    closedObject(
      ["results", listShape(shapeOf(result)), "The result of each iteration, in the order of the items"],
      ["count", scalar("integer"), "The number of iterations"],
    ),
  itemShape,
  templates: ["items"],
  bodyTemplates: ["result"],
  typedFields: ({ items }) => [{ field: "items", template: items, expected: "array" }],
  holdsBody: true,
  effects: "none",
  handler: async () => (await import("#lib/core/steps/loop/loop")).prepareLoop,
});
