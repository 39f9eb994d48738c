import { screen, within } from "@testing-library/react";
import { act } from "react";
import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { testNode } from "@/components/canvas/document/test-definition";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";

function addInside(page: ReturnType<typeof renderForm>, id: string, name: string) {
  const { editor } = page.session;
  const { definition, edit } = editor.getState();
  const inner = { ...testNode(id, "code", 0, 40, { name }), parentId: "step" };
  act(() => edit({ ...definition, nodes: [...definition.nodes, inner] }));
}

test("a loop shows how many items run at once, up to the limit", async () => {
  const { user, dataOf } = renderForm("loop");
  const pace = screen.getByRole("combobox", { name: "Items at a time" });
  expect(within(pace).getAllByRole("option")).toHaveLength(LIMITS.loopConcurrency);
  screen.getByText("One item after another.");
  await user.selectOptions(pace, "3");
  expect(dataOf()).toMatchObject({ concurrency: 3 });
  screen.getByText("Up to 3 items at once, in no particular order.");
});

test("a number that another client wrote is shown and kept", () => {
  const { dataOf } = renderForm("loop", { items: "", concurrency: 99 });
  expect(screen.getByRole("combobox", { name: "Items at a time" })).toHaveProperty("value", "99");
  expect(dataOf()).toMatchObject({ concurrency: 99 });
});

test("the list and the iteration result can be edited", async () => {
  const { user, dataOf } = renderForm("loop");
  await fillIn(user, screen.getByRole("textbox", { name: "List" }), "{{action_input.orders}}");
  await fillIn(user, screen.getByRole("textbox", { name: "Result of each iteration" }), '{"id": "{{step.item.id}}"}');
  expect(dataOf()).toMatchObject({ items: "{{action_input.orders}}", result: { id: "{{step.item.id}}" } });
});

test("the steps inside are listed and open from the list", async () => {
  const page = renderForm("loop");
  const inside = screen.getByRole("region", { name: "Steps inside" });
  within(inside).getByText(/No steps yet/);
  addInside(page, "inner", "Clean up");
  await page.user.click(within(inside).getByRole("button", { name: /Clean up$/ }));
  expect(page.session.editor.getState().selectedNodeIds).toEqual(["inner"]);
});

test("a step can be added inside without a pointer", async () => {
  const { user, session } = renderForm("loop");
  screen.getByRole("button", { name: "Add a step inside" }).focus();
  await user.keyboard("{Enter}");
  expect(session.editor.getState().picker?.spot).toEqual({ kind: "inside", loopId: "step" });
});

test("a viewer sees the steps inside but can't add one", () => {
  renderForm("loop", { items: "", concurrency: 1 }, { isReadOnly: true });
  screen.getByRole("region", { name: "Steps inside" });
  expect(screen.queryByRole("button", { name: "Add a step inside" })).toBeNull();
});
