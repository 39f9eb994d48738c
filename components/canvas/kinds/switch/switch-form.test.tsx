import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";

const RULES = [{ left: "", operator: "equals", right: "" }];
const caseOf = (id: string, name: string) => ({ id, name, match: "all", rules: RULES });

test("a new case gets an unused id, so that no connection line changes its branch", async () => {
  const cases = [caseOf("case_1", "Small"), caseOf("case_3", "Large")];
  const { user, dataOf } = renderForm("switch", { cases });
  await user.click(screen.getByRole("button", { name: "Add case" }));
  expect(dataOf()).toEqual({ cases: [...cases, caseOf("case_4", "Case 4")] });
});

test("editing a case's name and rules keeps its id", async () => {
  const { user, dataOf } = renderForm("switch", { cases: [caseOf("case_1", "Small")] });
  await fillIn(user, screen.getByRole("textbox", { name: "Name" }), "Tiny");
  await fillIn(user, screen.getByRole("textbox", { name: "Value" }), "{{action_input.amount}}");
  expect(dataOf()).toEqual({
    cases: [
      { ...caseOf("case_1", "Tiny"), rules: [{ left: "{{action_input.amount}}", operator: "equals", right: "" }] },
    ],
  });
});

test("removing a case keeps the order of the others, and the last case can't be removed", async () => {
  const [a, b] = [caseOf("a", "A"), caseOf("b", "B")];
  const { user, dataOf } = renderForm("switch", { cases: [a, b] });
  await user.click(screen.getByRole("button", { name: "Remove case 1" }));
  expect(dataOf()).toEqual({ cases: [b] });
  expect(screen.queryByRole("button", { name: /Remove case/ })).toBeNull();
});

test("each case has its own rules", async () => {
  const { user, dataOf } = renderForm("switch", { cases: [caseOf("a", "A"), caseOf("b", "B")] });
  const second = screen.getByRole("region", { name: "Rules of case 2" });
  await user.click(within(second).getByRole("button", { name: "Add rule" }));
  expect(dataOf()).toEqual({ cases: [caseOf("a", "A"), { ...caseOf("b", "B"), rules: [...RULES, ...RULES] }] });
});

const equal = (id: string, left: string, right: string, name?: string) => ({
  id,
  ...(name === undefined ? {} : { name }),
  match: "all",
  rules: [{ left, operator: "equals", right }],
});
const STATUS = "{{action_input.amount}}";
const idsOf = (data: unknown) => (data as { cases: { id: string }[] }).cases.map(({ id }) => id);

test("cases that compare one value show it once, and a line per case", async () => {
  const { user, dataOf } = renderForm("switch", { cases: [equal("a", STATUS, "paid"), equal("b", STATUS, "open")] });
  expect(screen.getByRole("combobox", { name: "Decide by" })).toHaveProperty("value", "value");
  await fillIn(user, screen.getByRole("textbox", { name: "Value" }), "{{action_input.orders}}");
  await fillIn(user, screen.getByRole("textbox", { name: "Case 2 equals" }), "late");
  await user.click(screen.getByRole("button", { name: "Add case" }));
  await user.paste("new");
  const next = "{{action_input.orders}}";
  expect(dataOf()).toEqual({
    cases: [equal("a", next, "paid"), equal("b", next, "late"), equal("case_3", next, "new")],
  });
});

test("a new switch can decide by one value, and back, without losing a rule", async () => {
  const { user, dataOf } = renderForm("switch");
  const way = screen.getByRole("combobox", { name: "Decide by" });
  await user.selectOptions(way, "One value");
  await fillIn(user, screen.getByRole("textbox", { name: "Case 1 equals" }), "paid");
  expect(dataOf()).toEqual({ cases: [equal("case_1", "", "paid")] });
  await user.selectOptions(way, "Rules of each case");
  await user.click(screen.getByRole("button", { name: "Add rule" }));
  expect(screen.queryByRole("combobox", { name: "Decide by" })).toBeNull();
});

test("a case is duplicated next to the original, with its own id", async () => {
  const cases = [equal("a", STATUS, "paid", "Paid"), equal("b", STATUS, "open", "Open")];
  const { user, dataOf } = renderForm("switch", { cases });
  await user.click(screen.getByRole("button", { name: "Duplicate case 1" }));
  expect(dataOf()).toEqual({ cases: [cases[0], equal("case_3", STATUS, "paid", "Paid_2"), cases[1]] });
});

test("cases are reordered with the arrow keys, and the focus stays on the moved case", async () => {
  const { user, dataOf } = renderForm("switch", { cases: ["a", "b", "c"].map((id) => equal(id, STATUS, id)) });
  screen.getByRole("button", { name: "Move case 1" }).focus();
  await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
  expect(idsOf(dataOf())).toEqual(["b", "c", "a"]);
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Move case 3");
  screen.getByText("Moved to case 3 of 3.");
  await user.keyboard("{ArrowUp}");
  expect(idsOf(dataOf())).toEqual(["b", "a", "c"]);
});

test("cases are reordered by dragging their handle", () => {
  const { dataOf } = renderForm("switch", { cases: ["a", "b", "c"].map((id) => equal(id, STATUS, id)) });
  const dataTransfer = { effectAllowed: "", setDragImage: () => undefined };
  fireEvent.dragStart(screen.getByRole("button", { name: "Move case 3" }), { dataTransfer });
  const [first] = screen.getAllByRole("listitem");
  if (first === undefined) throw new Error("There is no case.");
  expect(fireEvent.dragOver(first)).toBe(false);
  fireEvent.drop(first);
  expect(idsOf(dataOf())).toEqual(["c", "a", "b"]);
});
