import { screen, within } from "@testing-library/react";
import { act } from "react";
import { expect, test } from "vitest";
import { fillIn, renderForm, typeIn } from "@/components/canvas/kinds/render-form.fixture";
import { describedBy, expectFocus } from "@/components/testing/render-page.fixture";

const open = (message: string) => renderForm("approval", { message }, { isFresh: false });
const field = () => screen.getByRole("textbox", { name: "Message" });
const chips = (container: HTMLElement) =>
  [...container.querySelectorAll<HTMLElement>(".expression-chip")].map((chip) => [
    chip.dataset.expression,
    chip.textContent,
  ]);

test("only the references of a text are drawn as chips, with their step, path and type", () => {
  const { container } = open("Refund {{action_input.amount}} of {{ action_input.orders }}, {not this}");
  expect(chips(container)).toEqual([
    ["{{action_input.amount}}", "start › amount number"],
    ["{{ action_input.orders }}", "start › orders array"],
  ]);
});

test("completion lists values that start with the typed text first, and arrow keys and Tab choose", async () => {
  const { user, dataOf } = open("");
  await typeIn(user, field(), "{{am");
  const list = await screen.findByRole("listbox", { name: "Data from earlier steps" });
  expect(within(list).getAllByRole("option")).toHaveLength(1);
  await fillIn(user, field(), "");
  await typeIn(user, field(), "{{");
  const options = await screen.findAllByRole("option");
  const active = () => document.getElementById(field().getAttribute("aria-activedescendant") ?? "");
  expect(active()).toBe(options[0]);
  await user.keyboard("{ArrowDown}");
  expect(active()).toBe(screen.getAllByRole("option")[1]);
  await user.keyboard("{Enter}");
  expect(dataOf()).toEqual({ message: "{{action_input.amount}}" });
  await expectFocus(field());
});

test("Tab leaves a field whose caret is inside an expression, and changes nothing", async () => {
  const text = "Refund {{upper(action_input.amount)}}";
  const { user, dataOf } = open(text);
  await user.click(field());
  await user.keyboard("{Control>}{End}{/Control}{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}{Tab}");
  expect(document.activeElement).not.toBe(field());
  expect(dataOf()).toEqual({ message: text });
});

test("a list that was asked for takes neither Tab nor Enter until the user types or moves in it", async () => {
  const { user, dataOf } = open("Refund ");
  await user.click(field());
  await user.keyboard("{Control>}{End} {/Control}");
  await screen.findByRole("listbox");
  await user.tab();
  expect(dataOf()).toEqual({ message: "Refund " });
  await user.click(field());
  await user.keyboard("{Control>}{End} {/Control}");
  await screen.findByRole("listbox");
  await user.keyboard("{ArrowDown}{Enter}");
  expect(dataOf()).toEqual({ message: "Refund {{action_input.orders}}" });
});

test("a pasted expression opens no list", async () => {
  const { user } = open("");
  await user.click(field());
  await user.paste("{{am");
  // A typed letter opens it, so the list would have been there by now.
  await user.keyboard("o");
  await screen.findByRole("listbox");
  await fillIn(user, field(), "{{am");
  await user.keyboard("{ArrowLeft}{ArrowLeft}");
  expect(screen.queryByRole("listbox")).toBeNull();
});

test("one Backspace deletes a chip, one arrow key crosses it, and Enter on the selected chip opens it", async () => {
  const { user, dataOf, container } = open("{{action_input.amount}}{{action_input.orders}}");
  await user.click(field());
  await user.keyboard("{Control>}{End}{/Control}{Backspace}");
  expect(dataOf()).toEqual({ message: "{{action_input.amount}}" });
  await user.keyboard("{ArrowLeft}a");
  expect(dataOf()).toEqual({ message: "a{{action_input.amount}}" });
  await user.keyboard("{Shift>}{ArrowRight}{/Shift}{Enter}");
  expect(chips(container)).toEqual([]);
  expect(field().textContent).toBe("a{{action_input.amount}}");
  await user.keyboard("{Escape}");
  expect(chips(container)).toHaveLength(1);
});

test("a copied chip is its text", async () => {
  const { user } = open("Refund {{action_input.amount}}");
  await user.click(field());
  await user.keyboard("{Control>}a{/Control}");
  const data = await user.copy();
  expect(data?.getData("text/plain")).toBe("Refund {{action_input.amount}}");
});

test("undo goes step by step in the field, and then continues on the canvas", async () => {
  const { user, dataOf, session } = open("before");
  await user.click(field());
  await user.keyboard("{Control>}{End}{/Control} and");
  await user.keyboard("{ArrowLeft}{ArrowRight}");
  await user.paste(" after");
  expect(dataOf()).toEqual({ message: "before and after" });
  await user.keyboard("{Control>}z{/Control}");
  expect(dataOf()).toEqual({ message: "before and" });
  await user.keyboard("{Control>}z{/Control}");
  expect(dataOf()).toEqual({ message: "before" });
  expect(session.editor.temporal.getState().pastStates).toEqual([]);
  await user.keyboard("{Control>}{Shift>}z{/Shift}{/Control}");
  expect(dataOf()).toEqual({ message: "before and" });
  await user.tab();
  await user.click(field());
  await user.keyboard("{Control>}z{/Control}");
  expect(dataOf()).toEqual({ message: "before" });
});

test("while the user types, the line under the field says what an expression still needs", async () => {
  const { user } = open("");
  await typeIn(user, field(), "{{upper(action_input.amount");
  await screen.findByText("{{upper(action_input.amount: ) must follow the arguments of upper");
});

test("a press that leaves an empty required field moves nothing until the pointer is up", async () => {
  const { user } = renderForm("condition");
  const value = screen.getByRole("textbox", { name: "Value" });
  await user.click(value);
  const button = screen.getByRole("button", { name: "Add rule" });
  await user.pointer({ keys: "[MouseLeft>]", target: button });
  expect(document.activeElement).toBe(button);
  expect(screen.queryByText("Is required")).toBeNull();
  await user.pointer({ keys: "[/MouseLeft]", target: button });
  await screen.findByText("Is required");
  expect(screen.getAllByRole("textbox", { name: "Value" })).toHaveLength(2);
});

test("a pointer completion replaces the typed text", async () => {
  const { user, dataOf } = open("");
  await typeIn(user, field(), "Is {{ord");
  await user.click(await screen.findByRole("option", { name: /action_input\.orders/ }));
  expect(dataOf()).toEqual({ message: "Is {{action_input.orders}}" });
});

test("leaving the field closes the completion", async () => {
  const { user } = open("");
  await typeIn(user, field(), "{{");
  await screen.findAllByRole("option");
  await user.tab();
  expect(screen.queryAllByRole("option")).toEqual([]);
});

test("a broken reference is marked, explained and replaced by the value it most likely means", async () => {
  const { user, dataOf, container } = open("Refund {{action_input.amout}}?");
  expect(field().getAttribute("aria-invalid")).toBe("true");
  expect(describedBy(field())).not.toBe("");
  expect(container.querySelectorAll(".expression-chip[data-broken]")).toHaveLength(1);
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
  await typeIn(user, field(), "{{action_input.am");
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
  await typeIn(user, field(), " and after");
  act(() => session.editor.getState().undo());
  expect(dataOf()).toEqual({ message: "before" });
});
