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
  await fillIn(user, field, "");
  await user.keyboard("1.");
  expect(field.textContent).toBe("1.");
  await user.keyboard("5");
  expect(field.textContent).toBe("1.5");
  expect(dataOf()).toEqual({ seconds: 1.5 });
});

test("a wait until a time replaces the seconds, and the other way round", async () => {
  const { user, dataOf } = renderForm("delay", { seconds: 10 });
  const way = screen.getByRole("combobox", { name: "Wait" });
  await user.selectOptions(way, "Until a time");
  await fillIn(user, screen.getByRole("textbox", { name: /^Time/ }), "2027-03-01T09:00");
  await user.click(screen.getByRole("button", { name: /^Time zone: UTC/ }));
  await user.type(await screen.findByRole("combobox", { name: "Search time zones" }), "berlin{Enter}");
  expect(dataOf()).toEqual({ until: "2027-03-01T09:00", timezone: "Europe/Berlin" });
  await user.selectOptions(way, "For a number of seconds");
  expect(dataOf()).toEqual({ seconds: 10 });
});
