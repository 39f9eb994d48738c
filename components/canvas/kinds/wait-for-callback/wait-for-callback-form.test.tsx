import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";

const EXPIRES = { name: /^Expires after/ };

test.each([
  ["3600", 3600],
  ["{{action_input.seconds}}", "{{action_input.seconds}}"],
  ["soon", "soon"],
])("the time %j is stored as %j", async (text, seconds) => {
  const { user, dataOf } = renderForm("wait_for_callback", { expires_seconds: 86_400 });
  await fillIn(user, screen.getByRole("textbox", EXPIRES), text);
  expect(dataOf()).toEqual({ expires_seconds: seconds });
});

test("a schema is stored as an object once it parses as JSON, and as text before", async () => {
  const { user, dataOf } = renderForm("wait_for_callback", { expires_seconds: 60 });
  await fillIn(user, screen.getByRole("textbox", { name: /^Body schema/ }), '{"type": "obj');
  expect(dataOf()).toMatchObject({ schema: '{"type": "obj' });
  await user.paste('ect"}');
  expect(dataOf()).toMatchObject({ schema: { type: "object" } });
});

test("the form shows the expression of the address", () => {
  renderForm("wait_for_callback", { expires_seconds: 60 });
  screen.getByText(/^\{\{\w+\.callback_url\}\}$/);
});
