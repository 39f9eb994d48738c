import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";

test("an output field has a name, a type and a value", async () => {
  const { user, dataOf } = renderForm("return_output", { properties: [] });
  screen.getByText("No fields: the caller gets an empty object.");
  await user.click(screen.getByRole("button", { name: "Add field" }));
  await fillIn(user, screen.getByRole("textbox", { name: "Name" }), "total");
  await user.selectOptions(screen.getByRole("combobox", { name: "Type" }), "number");
  await fillIn(user, screen.getByRole("textbox", { name: "Value" }), "{{action_input.amount}}");
  expect(dataOf()).toEqual({
    properties: [{ name: "total", type: "number", required: true, value: "{{action_input.amount}}" }],
  });
  await user.click(screen.getByRole("checkbox", { name: "Required: a null fails the run" }));
  expect(dataOf()).toMatchObject({ properties: [{ required: false }] });
});

test("every field can be removed, because an empty object is a valid output", async () => {
  const { user, dataOf } = renderForm("return_output", { properties: [{ name: "a", type: "string", value: "1" }] });
  await user.click(screen.getByRole("button", { name: "Remove field 1" }));
  expect(dataOf()).toEqual({ properties: [] });
  screen.getByText("No fields: the caller gets an empty object.");
});
