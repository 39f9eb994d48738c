import { screen, within } from "@testing-library/react";
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
