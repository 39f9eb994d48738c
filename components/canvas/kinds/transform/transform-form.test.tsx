import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";

test("a result field has a name and a value", async () => {
  const { user, dataOf } = renderForm("transform", { fields: [] });
  screen.getByText("No fields: the result is an empty object.");
  await user.click(screen.getByRole("button", { name: "Add field" }));
  await fillIn(user, screen.getByRole("textbox", { name: "Name" }), "total");
  await fillIn(user, screen.getByRole("textbox", { name: "Value" }), "{{action_input.amount}}");
  expect(dataOf()).toEqual({ fields: [{ name: "total", value: "{{action_input.amount}}" }] });
});

test("an expression replaces the fields, and fields replace the expression", async () => {
  const { user, dataOf } = renderForm("transform", { name: "Sum", fields: [{ name: "a", value: "1" }] });
  await user.selectOptions(screen.getByRole("combobox", { name: "Result" }), "JSONata expression");
  expect(dataOf()).toEqual({ name: "Sum", jsonata: "" });
  await fillIn(user, screen.getByRole("textbox", { name: "Expression" }), "$sum(action_input.orders)");
  expect(dataOf()).toEqual({ name: "Sum", jsonata: "$sum(action_input.orders)" });
  await user.selectOptions(screen.getByRole("combobox", { name: "Result" }), "Field by field");
  expect(dataOf()).toEqual({ name: "Sum", fields: [{ name: "", value: "" }] });
});

test("choosing the current option again keeps the data", async () => {
  const fields = [{ name: "a", value: "1" }];
  const { user, dataOf } = renderForm("transform", { fields });
  await user.selectOptions(screen.getByRole("combobox", { name: "Result" }), "Field by field");
  expect(dataOf()).toEqual({ fields });
});

test("an empty expression is marked when its step is opened again", () => {
  renderForm("transform", { jsonata: "" }, { isFresh: false });
  expect(screen.getByRole("textbox", { name: "Expression" }).getAttribute("aria-invalid")).toBe("true");
});
