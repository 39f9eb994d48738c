import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";

test("a filter takes a list from an earlier step and rules about the current item", async () => {
  const { user, dataOf } = renderForm("filter");
  await fillIn(user, screen.getByRole("textbox", { name: "List" }), "{{action_input.orders}}");
  await fillIn(user, screen.getByRole("textbox", { name: "Value" }), "{{step.item.amount}}");
  await user.selectOptions(screen.getByRole("combobox", { name: "Comparison" }), "greater_than");
  await fillIn(user, screen.getByRole("textbox", { name: "Compared with" }), "5");
  expect(dataOf()).toEqual({
    items: "{{action_input.orders}}",
    match: "all",
    rules: [{ left: "{{step.item.amount}}", operator: "greater_than", right: "5" }],
  });
});

test("a list that parses as JSON is stored as a list, and anything else as text", async () => {
  const { user, dataOf } = renderForm("filter");
  const list = screen.getByRole("textbox", { name: "List" });
  await fillIn(user, list, '[1, {"a": 2}]');
  expect(dataOf()).toMatchObject({ items: [1, { a: 2 }] });
  await fillIn(user, list, "[1,");
  expect(dataOf()).toMatchObject({ items: "[1," });
});

test("the form refers to the item and its position by the step's id", () => {
  renderForm("filter");
  screen.getByText("{{step.item}}");
  screen.getByText("{{step.index}}");
});
