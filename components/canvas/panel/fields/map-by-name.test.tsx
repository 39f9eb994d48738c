import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderForm } from "@/components/canvas/kinds/render-form.fixture";
import { listNamedFields, matching } from "@/components/canvas/panel/fields/map-by-name";

const field = (label: string, type = "string") => ({ label, type, expression: `{{a.${label}}}`, description: "" });
const source = (fields: string[]) => ({
  nodeId: "a",
  name: "a",
  label: "Ask",
  step: 1,
  fields: fields.map((f) => field(f)),
});
const mapFrom = () => screen.getByRole("combobox", { name: "Map all by name" });

test("each object in the data is offered with its direct fields", () => {
  const objects = listNamedFields([source(["status", "body", "body.id", "body.name"])]);
  expect(objects.map(({ label, fields }) => [label, [...fields.keys()]])).toEqual([
    ["Ask", ["status", "body"]],
    ["Ask body", ["id", "name"]],
  ]);
});

test("names match whatever their case and separators, and the exact one comes first", () => {
  const [object] = listNamedFields([source(["orderId", "order_id", "Total-Sum"])]);
  if (object === undefined) throw new Error("There is no object.");
  const found = matching(object, ["order_id", "totalSum", "other", ""]);
  expect([...found].map(([name, { label }]) => [name, label])).toEqual([
    ["order_id", "order_id"],
    ["totalSum", "Total-Sum"],
  ]);
});

test("fields of a Return Output get the values of their names, and the others keep theirs", async () => {
  const properties = [
    { name: "Amount", type: "number", value: "" },
    { name: "note", type: "string", value: "kept" },
  ];
  const { user, dataOf } = renderForm("return_output", { properties });
  await user.selectOptions(mapFrom(), "0");
  expect(dataOf()).toEqual({
    properties: [{ ...properties[0], value: "{{action_input.amount}}" }, properties[1]],
  });
});

test("a list without fields gets all fields of the object, with their types", async () => {
  const { user, dataOf } = renderForm("return_output", { properties: [] });
  await user.selectOptions(mapFrom(), "0");
  expect(dataOf()).toEqual({
    properties: [
      { name: "orders", type: "array", required: true, value: "{{action_input.orders}}" },
      { name: "amount", type: "number", required: true, value: "{{action_input.amount}}" },
    ],
  });
});

test("a transform and the input of an action are filled in the same way", async () => {
  const transform = renderForm("transform", { fields: [] });
  await transform.user.selectOptions(mapFrom(), "0");
  expect(transform.dataOf()).toEqual({
    fields: [
      { name: "orders", value: "{{action_input.orders}}" },
      { name: "amount", value: "{{action_input.amount}}" },
    ],
  });
  transform.unmount();
  const call = renderForm("sub_workflow", { action_slug: "other", input: { amount: "", note: "kept" } });
  await call.user.selectOptions(mapFrom(), "0");
  expect(call.dataOf()).toMatchObject({ input: { amount: "{{action_input.amount}}", note: "kept" } });
  expect(within(mapFrom()).getAllByRole("option")).toHaveLength(2);
});
