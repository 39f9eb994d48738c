import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";
import type { FakeServer } from "@/components/testing/fake-server.fixture";

type Action = WebOperations["list_actions"]["output"]["data"][number];

const REFUND = {
  slug: "refund",
  name: "Refund an order",
  description: "Pays the customer back.",
  inputSchema: {
    type: "object",
    properties: { order_id: { type: "string" }, amount: { type: "number" } },
    required: ["order_id"],
  },
} as Partial<Action> as Action;

const prepare = (server: FakeServer) =>
  server.answer("list_actions", { data: [REFUND], has_more: false, next_cursor: null });

test("a known action shows its description and offers its missing fields", async () => {
  const { user, dataOf } = renderForm("sub_workflow", { action_slug: "", input: {} }, { prepare });
  await fillIn(user, screen.getByRole("combobox", { name: "Action" }), "refund");
  await screen.findByText("Pays the customer back.");
  screen.getByText("order_id, amount");
  await user.click(screen.getByRole("button", { name: "Add these fields" }));
  expect(dataOf()).toEqual({ action_slug: "refund", input: { order_id: "", amount: "" } });
  expect(screen.queryByRole("button", { name: "Add these fields" })).toBeNull();
});

test("adding the missing fields keeps the values of existing ones", async () => {
  const data = { action_slug: "refund", input: { amount: "{{action_input.amount}}" } };
  const { user, dataOf } = renderForm("sub_workflow", data, { prepare });
  await user.click(await screen.findByRole("button", { name: "Add these fields" }));
  expect(dataOf()).toEqual({ action_slug: "refund", input: { amount: "{{action_input.amount}}", order_id: "" } });
});

test("a slug without an action shows a warning", async () => {
  renderForm("sub_workflow", { action_slug: "refnd", input: {} }, { prepare });
  await screen.findByText("No active action has this slug.");
});

test("a viewer can't add fields", async () => {
  renderForm("sub_workflow", { action_slug: "refund", input: {} }, { prepare, isReadOnly: true });
  await screen.findByText("Pays the customer back.");
  expect(screen.queryByRole("button", { name: "Add these fields" })).toBeNull();
});
