import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { fillIn, itemBox, renderForm } from "@/components/canvas/kinds/render-form.fixture";
import { expectFocus } from "@/components/testing/render-page.fixture";

const RULE = { left: "{{action_input.amount}}", operator: "greater_than", right: "500" };

test("a rule has a value, a comparison and a right side", async () => {
  const { user, dataOf } = renderForm("condition");
  await fillIn(user, screen.getByRole("textbox", { name: "Value" }), RULE.left);
  await user.selectOptions(screen.getByRole("combobox", { name: "Comparison" }), RULE.operator);
  await fillIn(user, screen.getByRole("textbox", { name: "Compared with" }), RULE.right);
  expect(dataOf()).toMatchObject({ match: "all", rules: [RULE] });
});

test("a unary comparison drops the right side, and a binary one starts with an empty right side", async () => {
  const { user, dataOf } = renderForm("condition", { match: "all", rules: [RULE] });
  const operator = screen.getByRole("combobox", { name: "Comparison" });
  await user.selectOptions(operator, "exists");
  expect(dataOf()).toEqual({ match: "all", rules: [{ left: RULE.left, operator: "exists" }] });
  expect(screen.queryByRole("textbox", { name: "Compared with" })).toBeNull();
  await user.selectOptions(operator, "equals");
  expect(dataOf()).toEqual({ match: "all", rules: [{ left: RULE.left, operator: "equals", right: "" }] });
});

test("a pattern is labeled as a pattern, with its syntax", async () => {
  const { user } = renderForm("condition");
  await user.selectOptions(screen.getByRole("combobox", { name: "Comparison" }), "matches");
  screen.getByRole("textbox", { name: "Pattern" });
  screen.getByText("RE2 syntax");
});

test("with a second rule, you choose whether all or any of them must match", async () => {
  const { user, dataOf } = renderForm("condition", { match: "all", rules: [RULE] });
  expect(screen.queryByRole("combobox", { name: /when$/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Add rule" }));
  await expectFocus(screen.getAllByRole("textbox", { name: "Value" })[1] as HTMLElement);
  await user.selectOptions(screen.getByRole("combobox", { name: /when$/ }), "any rule matches");
  expect(dataOf()).toEqual({ match: "any", rules: [RULE, { left: "", operator: "equals", right: "" }] });
});

test("the last rule can't be removed; any other can", async () => {
  const other = { left: "b", operator: "exists" };
  const { user, dataOf } = renderForm("condition", { match: "all", rules: [RULE, other] });
  await user.click(screen.getByRole("button", { name: "Remove rule 1" }));
  expect(dataOf()).toEqual({ match: "all", rules: [other] });
  expect(screen.queryByRole("button", { name: /Remove rule/ })).toBeNull();
});

test("editing one rule doesn't change the other", async () => {
  const { user, dataOf } = renderForm("condition", { match: "all", rules: [RULE, RULE] });
  const list = screen.getAllByRole("list")[0] as HTMLElement;
  await fillIn(user, itemBox(list, 2).getByRole("textbox", { name: "Compared with" }), "9");
  expect(dataOf()).toEqual({ match: "all", rules: [RULE, { ...RULE, right: "9" }] });
});
