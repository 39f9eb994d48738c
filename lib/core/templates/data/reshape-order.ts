import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";

const RESHAPE = `{
  "number": action_input.order.id,
  "customer": action_input.order.buyer.first_name & " " & action_input.order.buyer.last_name,
  "items": [action_input.order.lines[qty > 0].{ "sku": $uppercase(sku), "quantity": qty }],
  "paid": action_input.order.payments[status = "ok"] ? true : false
}`;

export const reshapeOrder: TemplateObject = {
  template_id: "reshape-order",
  name: "Reshape an order",
  about: "Converts an order from one system's format to another's with a single JSONata expression.",
  purpose: "data",
  starts: "call",
  needs: [],
  sample_input: {
    order: {
      id: "77",
      buyer: { first_name: "Ada", last_name: "Lovelace" },
      lines: [
        { sku: "tea-1", qty: 2 },
        { sku: "mug-9", qty: 0 },
      ],
      payments: [{ status: "ok" }],
    },
  },
  definition: draw(
    [
      step("input", "action_input", {
        name: "Order",
        properties: [{ name: "order", type: "object", required: true }],
      }),
      step("reshape", "transform", { name: "Reshape", jsonata: RESHAPE }),
      step("answer", "return_output", {
        name: "Reshaped",
        properties: [
          { name: "number", type: "string", required: true, value: "{{reshape.number}}" },
          { name: "customer", type: "string", required: true, value: "{{reshape.customer}}" },
          { name: "items", type: "array", required: true, value: "{{reshape.items}}" },
          { name: "paid", type: "boolean", required: true, value: "{{reshape.paid}}" },
        ],
      }),
    ],
    "input>reshape",
    "reshape>answer",
  ),
};
