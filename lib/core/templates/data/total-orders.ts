import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";

export const totalOrders: TemplateObject = {
  template_id: "total-orders",
  name: "Total a list of orders",
  about: "Calculates the total of each order in a loop, then adds the totals up.",
  purpose: "data",
  starts: "call",
  needs: [],
  sample_input: {
    orders: [
      { id: "A-1", price: 20, quantity: 3 },
      { id: "A-2", price: 5.5, quantity: 2 },
    ],
  },
  definition: draw(
    [
      step("input", "action_input", {
        name: "Orders",
        properties: [
          {
            name: "orders",
            type: "array",
            items: { type: "object" },
            required: true,
            description: "Orders with id, price and quantity",
          },
        ],
      }),
      step("each", "loop", {
        name: "For each order",
        items: "{{action_input.orders}}",
        concurrency: 5,
        result: "{{line}}",
      }),
      step(
        "line",
        "transform",
        {
          name: "Order total",
          jsonata: '{ "id": each.item.id, "total": each.item.price * each.item.quantity }',
        },
        "each",
      ),
      step("sum", "transform", {
        name: "Sum",
        jsonata: '{ "total": $sum(each.results.total), "largest": $max(each.results.total) }',
      }),
      step("answer", "return_output", {
        name: "Totals",
        properties: [
          { name: "orders", type: "array", required: true, value: "{{each.results}}" },
          { name: "count", type: "integer", required: true, value: "{{each.count}}" },
          { name: "total", type: "number", required: true, value: "{{sum.total}}" },
        ],
      }),
    ],
    "input>each",
    "each>sum",
    "sum>answer",
  ),
};
