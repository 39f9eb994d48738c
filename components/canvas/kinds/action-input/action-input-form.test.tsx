import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { fillIn, itemBox, renderForm } from "@/components/canvas/kinds/render-form.fixture";
import { expectFocus } from "@/components/testing/render-page.fixture";

const AMOUNT = { name: "amount", type: "number", required: true, default: 5, enum: [5, 10] };

test("an added field is a required text field, has the focus, and takes a name", async () => {
  const { user, dataOf } = renderForm("action_input", { properties: [] });
  screen.getByText("No fields: callers send an empty object.");
  await user.click(screen.getByRole("button", { name: "Add field" }));
  const name = screen.getByRole("textbox", { name: "Name" });
  await expectFocus(name);
  await user.keyboard("order_id");
  expect(dataOf()).toEqual({ properties: [{ name: "order_id", type: "string", required: true }] });
});

test("removing a field keeps the content of the others and keeps the focus in the list", async () => {
  const others = [
    { name: "a", type: "string", required: true },
    AMOUNT,
    { name: "c", type: "string", required: false },
  ];
  const { user, dataOf } = renderForm("action_input", { properties: others });
  await user.click(screen.getByRole("button", { name: "Remove field 2" }));
  expect(dataOf()).toEqual({ properties: [others[0], others[2]] });
  const [first] = screen.getAllByRole("textbox", { name: "Name" });
  expect(first).toHaveProperty("value", "a");
  await expectFocus(screen.getByRole("button", { name: "Remove field 1" }));
});

test("changing the type parses the default and allowed values again", async () => {
  const { user, dataOf } = renderForm("action_input", { properties: [AMOUNT] });
  await user.selectOptions(screen.getByRole("combobox", { name: "Type" }), "string");
  expect(dataOf()).toEqual({ properties: [{ ...AMOUNT, type: "string", default: "5", enum: ["5", "10"] }] });
  await user.selectOptions(screen.getByRole("combobox", { name: "Type" }), "number");
  expect(dataOf()).toEqual({ properties: [AMOUNT] });
});

test("details are stored in the field's type, and an emptied detail is removed", async () => {
  const { user, dataOf } = renderForm("action_input", { properties: [{ name: "n", type: "integer", required: true }] });
  await user.click(screen.getByText("Description, default, choices"));
  await fillIn(user, screen.getByRole("textbox", { name: /^Description/ }), "How many");
  await fillIn(user, screen.getByRole("textbox", { name: /^Default/ }), "3");
  await fillIn(user, screen.getByRole("textbox", { name: /^Allowed values/ }), "1\n3");
  const full = { name: "n", type: "integer", required: true, description: "How many", default: 3, enum: [1, 3] };
  expect(dataOf()).toEqual({ properties: [full] });
  await fillIn(user, screen.getByRole("textbox", { name: /^Description/ }), "");
  await fillIn(user, screen.getByRole("textbox", { name: /^Default/ }), "");
  await fillIn(user, screen.getByRole("textbox", { name: /^Allowed values/ }), "");
  expect(dataOf()).toEqual({ properties: [{ name: "n", type: "integer", required: true }] });
});

test('a list stores the type of its items, and "any type" is not stored', async () => {
  const { user, dataOf } = renderForm("action_input", {
    properties: [{ name: "tags", type: "array", required: true }],
  });
  const items = screen.getByLabelText("Item type");
  await user.selectOptions(items, "string");
  expect(dataOf()).toMatchObject({ properties: [{ items: { type: "string" } }] });
  await user.selectOptions(items, "any");
  expect(dataOf()).toEqual({ properties: [{ name: "tags", type: "array", required: true }] });
});

test("Required is a separate checkbox for each field", async () => {
  const fields = [AMOUNT, { ...AMOUNT, name: "b" }];
  const { user, dataOf } = renderForm("action_input", { properties: fields });
  const list = screen.getAllByRole("list")[0] as HTMLElement;
  await user.click(itemBox(list, 2).getByRole("checkbox", { name: "Required" }));
  expect(dataOf()).toEqual({ properties: [AMOUNT, { ...AMOUNT, name: "b", required: false }] });
});

test("a viewer can read the fields but change nothing", () => {
  renderForm("action_input", { properties: [AMOUNT] }, { isReadOnly: true });
  expect(screen.queryAllByRole("button")).toEqual([]);
  for (const control of [...screen.getAllByRole("textbox"), ...screen.getAllByRole("combobox")]) {
    expect(control).toHaveProperty("disabled", true);
  }
});

test("an object declares its fields, and a list of objects the fields of its items", async () => {
  const { user, dataOf } = renderForm("action_input", {
    properties: [{ name: "lines", type: "array", required: true, minItems: 1 }],
  });
  await user.selectOptions(screen.getByLabelText("Item type"), "object");
  await user.click(screen.getByRole("button", { name: "Add inner field" }));
  const [, inner] = screen.getAllByRole("textbox", { name: "Name" });
  if (!inner) throw new Error("there is no inner field");
  await expectFocus(inner);
  await user.keyboard("sku");
  const sku = { name: "sku", type: "string", required: true };
  const items = { type: "object", properties: [sku] };
  expect(dataOf()).toEqual({ properties: [{ name: "lines", type: "array", required: true, minItems: 1, items }] });
});

test("a field of another type loses what only its old type has", async () => {
  const { user, dataOf } = renderForm("action_input", {
    properties: [{ name: "a", type: "string", required: true, minLength: 2, pattern: "x", description: "Text" }],
  });
  await user.selectOptions(screen.getByRole("combobox", { name: "Type" }), "integer");
  expect(dataOf()).toEqual({ properties: [{ name: "a", type: "integer", required: true, description: "Text" }] });
});

test("bounds are stored as numbers, and an emptied bound is removed", async () => {
  const { user, dataOf } = renderForm("action_input", { properties: [{ name: "n", type: "integer", required: true }] });
  await user.click(screen.getByText("Description, default, choices"));
  await fillIn(user, screen.getByRole("textbox", { name: "Minimum" }), "1");
  expect(dataOf()).toEqual({ properties: [{ name: "n", type: "integer", required: true, minimum: 1 }] });
  await fillIn(user, screen.getByRole("textbox", { name: "Minimum" }), "");
  expect(dataOf()).toEqual({ properties: [{ name: "n", type: "integer", required: true }] });
});
