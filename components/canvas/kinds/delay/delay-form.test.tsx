import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";

test.each([
  ["2.5", 2.5],
  [" 30 ", 30],
  ["{{action_input.amount}}", "{{action_input.amount}}"],
  ["soon", "soon"],
])("%j is stored as %j", async (text, seconds) => {
  const { user, dataOf } = renderForm("delay", { seconds: 10 });
  await fillIn(user, screen.getByRole("textbox", { name: "Seconds" }), text);
  expect(dataOf()).toEqual({ seconds });
});

test("a half-written number stays as typed", async () => {
  const { user, dataOf } = renderForm("delay", { seconds: 10 });
  const field = screen.getByRole("textbox", { name: "Seconds" });
  await user.clear(field);
  await user.type(field, "1.");
  expect(field).toHaveProperty("value", "1.");
  await user.type(field, "5");
  expect(field).toHaveProperty("value", "1.5");
  expect(dataOf()).toEqual({ seconds: 1.5 });
});
