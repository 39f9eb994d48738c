import { screen, within } from "@testing-library/react";
import { describe, expect, it, test } from "vitest";
import { STEP_KINDS, STEP_TYPES } from "#lib/core/steps/step-kinds";
import { fillIn, renderForm, typeIn } from "@/components/canvas/kinds/render-form.fixture";
import { expectAccessible } from "@/components/testing/render-page.fixture";

describe.each(STEP_TYPES)("the form of %s", (type) => {
  const { newData, example } = STEP_KINDS[type];

  it.each([
    ["a new step", newData()],
    ["a step that is filled in", example],
  ])("shows %s with named controls and doesn't change its data", async (_, data) => {
    const { container, dataOf } = renderForm(type, data);
    expect(container.querySelectorAll("input, textarea, select, button, [role=textbox]").length).toBeGreaterThan(0);
    await expectAccessible(container);
    expect(dataOf()).toEqual(data);
  });
});

/** Returns the suggestions under a field after an expression is started in it. */
async function suggestionsIn(page: ReturnType<typeof renderForm>, label: string): Promise<string[]> {
  const field = screen.getByRole("textbox", { name: label });
  await fillIn(page.user, field, "");
  await typeIn(page.user, field, "{{");
  const list = await screen.findByRole("listbox", { name: "Data from earlier steps" });
  return within(list)
    .getAllByRole("option")
    .map((option) => option.textContent ?? "");
}

test("a loop suggests its item for the result of an iteration, but not for its list", async () => {
  const page = renderForm("loop", STEP_KINDS.loop.newData());
  const result = await suggestionsIn(page, "Result of each iteration");
  expect(result.some((text) => text.startsWith("step.item"))).toBe(true);
  expect(result.some((text) => text.startsWith("step.index"))).toBe(true);
  const list = await suggestionsIn(page, "List");
  expect(list.some((text) => text.startsWith("action_input.orders"))).toBe(true);
  expect(list.filter((text) => text.startsWith("step."))).toEqual([]);
});

test("a filter suggests its item in the rules, but not for its list", async () => {
  const page = renderForm("filter", STEP_KINDS.filter.newData());
  const rule = await suggestionsIn(page, "Value");
  expect(rule.map((text) => text.replace(/(any|integer|number|array).*$/, ""))).toEqual([
    "step.item",
    "step.index",
    "action_input.orders",
    "action_input.amount",
  ]);
  const list = await suggestionsIn(page, "List");
  expect(list.filter((text) => text.startsWith("step."))).toEqual([]);
});

test("a suggestion chosen by keyboard replaces the typed part and keeps the rest of the text", async () => {
  const page = renderForm("approval", { message: "" });
  const field = screen.getByRole("textbox", { name: "Message" });
  await typeIn(page.user, field, "Refund {{ord");
  await screen.findByRole("option", { name: /action_input\.orders/ });
  await page.user.keyboard("{Enter}?");
  expect(page.dataOf()).toEqual({ message: "Refund {{action_input.orders}}?" });
});

test("Enter does nothing in a single-line field, and Escape closes only the suggestions", async () => {
  const page = renderForm("delay", { seconds: 5 });
  const field = screen.getByRole("textbox", { name: "Seconds" });
  await fillIn(page.user, field, "");
  await typeIn(page.user, field, "{{");
  await screen.findByRole("listbox");
  await page.user.keyboard("{Escape}");
  expect(screen.queryByRole("listbox")).toBeNull();
  await page.user.keyboard("{Enter}");
  expect(page.dataOf()).toEqual({ seconds: "{{" });
});
