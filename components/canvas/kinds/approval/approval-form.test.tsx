import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";

test("the message may have several lines and expressions", async () => {
  const { user, dataOf } = renderForm("approval");
  const message = screen.getByRole("textbox", { name: "Message" });
  await fillIn(user, message, "Refund {{action_input.amount}}?");
  await user.keyboard("{Enter}Really?");
  expect(dataOf()).toMatchObject({ message: "Refund {{action_input.amount}}?\nReally?" });
});

test("a viewer can read the message but not change it", () => {
  renderForm("approval", { message: "Refund?" }, { isReadOnly: true });
  const message = screen.getByRole("textbox", { name: "Message" });
  expect([message.getAttribute("aria-readonly"), message.getAttribute("contenteditable")]).toEqual(["true", "false"]);
  expect(message.textContent).toBe("Refund?");
});
