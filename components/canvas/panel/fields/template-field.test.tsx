import { screen, within } from "@testing-library/react";
import { act } from "react";
import { expect, test } from "vitest";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";
import { describedBy, expectFocus } from "@/components/testing/render-page.fixture";

const open = (message: string) => renderForm("approval", { message }, { isFresh: false });
const field = () => screen.getByRole("textbox", { name: "Message" });
const chips = (container: HTMLElement) => [...container.querySelectorAll("mark")].map((mark) => mark.textContent);

test("only the expressions of a text are drawn as chips", () => {
  const { container } = open("Refund {{action_input.amount}} of {{ action_input.orders }}, {not this}");
  expect(chips(container)).toEqual(["{{action_input.amount}}", "{{ action_input.orders }}"]);
});

test("completion lists values that start with the typed text first, and arrow keys and Tab choose", async () => {
  const { user, dataOf } = open("");
  await user.click(field());
  await user.paste("{{am");
  const list = await screen.findByRole("listbox", { name: "Data from earlier steps" });
  expect(within(list).getAllByRole("option")).toHaveLength(1);
  await user.clear(field());
  await user.paste("{{");
  const options = await screen.findAllByRole("option");
  const active = () => document.getElementById(field().getAttribute("aria-activedescendant") ?? "");
  expect(active()).toBe(options[0]);
  await user.keyboard("{ArrowDown}");
  expect(active()).toBe(screen.getAllByRole("option")[1]);
  await user.keyboard("{Enter}");
  expect(dataOf()).toEqual({ message: "{{action_input.amount}}" });
  await expectFocus(field());
});

test("a pointer completion replaces the typed text", async () => {
  const { user, dataOf } = open("");
  await user.click(field());
  await user.paste("Is {{ord");
  await user.click(await screen.findByRole("option", { name: /action_input\.orders/ }));
  expect(dataOf()).toEqual({ message: "Is {{action_input.orders}}" });
});

test("leaving the field closes the completion", async () => {
  const { user } = open("");
  await user.click(field());
  await user.paste("{{");
  await screen.findAllByRole("option");
  await user.tab();
  expect(screen.queryAllByRole("option")).toEqual([]);
});

test("a broken reference is marked, explained and replaced by the value it most likely means", async () => {
  const { user, dataOf, container } = open("Refund {{action_input.amout}}?");
  expect(field().getAttribute("aria-invalid")).toBe("true");
  expect(describedBy(field())).not.toBe("");
  expect(container.querySelector("mark")?.className).toContain("text-err");
  await user.click(screen.getByRole("button", { name: "Use action_input.amount" }));
  expect(dataOf()).toEqual({ message: "Refund {{action_input.amount}}?" });
  expect(field().getAttribute("aria-invalid")).toBeNull();
});

test("a broken reference can be removed", async () => {
  const { user, dataOf } = open("Refund {{nothing.here}}?");
  await user.click(screen.getByRole("button", { name: "Remove nothing.here" }));
  expect(dataOf()).toEqual({ message: "Refund ?" });
});

test("half an expression is not an error while it is typed", async () => {
  const { user } = open("");
  await user.click(field());
  await user.paste("{{action_input.am");
  expect(field().getAttribute("aria-invalid")).toBeNull();
});

test("the preview shows the text with the last values, and names a step that hasn't run", () => {
  const { session } = open("Refund {{action_input.amount}}");
  screen.getByText(/^Run .* to see a value\.$/);
  act(() =>
    session.tests.getState().keepSample("start", { output: { amount: 7 }, receivedAt: "2026-01-01T00:00:00Z" }),
  );
  screen.getByText('"Refund 7"');
});

test("a pasted line break becomes a space in a single-line field", async () => {
  const { user, dataOf } = renderForm("delay", { seconds: 1 });
  await fillIn(user, screen.getByRole("textbox", { name: "Seconds" }), "{{a\n b}}");
  expect(dataOf()).toEqual({ seconds: "{{a b}}" });
});

test("typing in one field is one undo step", async () => {
  const { user, dataOf, session } = open("before");
  await user.click(field());
  await user.type(field(), " and after");
  act(() => session.editor.getState().undo());
  expect(dataOf()).toEqual({ message: "before" });
});
