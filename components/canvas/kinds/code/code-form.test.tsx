import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";

const DATA = { source: "return input.a", input: { a: "1" } };

test("an added value gets a free name that can be changed in place", async () => {
  const { user, dataOf } = renderForm("code", { source: "", input: { name: "1" } });
  await user.click(screen.getByRole("button", { name: "Add value" }));
  expect(dataOf()).toEqual({ source: "", input: { name: "1", name_2: "" } });
  await fillIn(user, screen.getByRole("textbox", { name: "Name of value 1" }), "orders");
  await fillIn(user, screen.getByRole("textbox", { name: "Value of orders" }), "{{action_input.orders}}");
  expect(Object.entries(dataOf()?.input ?? {})).toEqual([
    ["orders", "{{action_input.orders}}"],
    ["name_2", ""],
  ]);
});

test("a name that another value uses is marked and changes nothing", async () => {
  const { user, dataOf } = renderForm("code", { source: "", input: { a: "1", b: "2" } });
  const name = screen.getByRole("textbox", { name: "Name of value 2" });
  await fillIn(user, name, "a");
  expect(name.getAttribute("aria-invalid")).toBe("true");
  expect(dataOf()).toEqual({ source: "", input: { a: "1", b: "2" } });
  await user.tab();
  expect(name).toHaveProperty("value", "b");
});

test("removing the last value removes the input", async () => {
  const { user, dataOf } = renderForm("code", DATA);
  const input = within(screen.getByRole("region", { name: "Input" }));
  await user.click(input.getByRole("button", { name: "Remove a" }));
  expect(dataOf()).toEqual({ source: DATA.source });
});
