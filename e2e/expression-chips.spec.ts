import { card, expectExpression } from "#e2e/canvas-drawing";
import { chips, field, list, MESSAGE, openStep } from "#e2e/expression-drawing";
import { expect, test } from "#e2e/fixtures";

test("Tab leaves a field with the caret inside an expression, and changes nothing", async ({
  signedInPage: page,
  product,
}) => {
  const read = await openStep(page, product.url, "Ask");
  const message = field(page, "Message");
  await message.click();
  await page.keyboard.press("ControlOrMeta+End");
  // Moves the caret into the call's argument, first with the keyboard and then with the mouse.
  for (let at = 0; at < 6; at += 1) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Tab");
  await expect(message).not.toBeFocused();
  await expectExpression(message, MESSAGE);
  await message.locator(".expression-path").click();
  await expect(list(page)).toBeHidden();
  await page.keyboard.press("Tab");
  await expect(message).not.toBeFocused();
  expect((await read()).message).toBe(MESSAGE);
});

test("completion opens after a typed character, replaces the whole token, and Enter and Tab choose only from an open list", async ({
  signedInPage: page,
  product,
}) => {
  const read = await openStep(page, product.url, "Ask");
  const message = field(page, "Message");
  await message.fill("Pay {{upper(action_input.xyz)}}");
  await page.keyboard.press("ControlOrMeta+End");
  // Moves the caret into the middle of the path: `action_|input.xyz`.
  for (let at = 0; at < 12; at += 1) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Control+Space");
  await expect(list(page)).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(message).not.toBeFocused();
  await expectExpression(message, "Pay {{upper(action_input.xyz)}}");

  await message.click();
  await page.keyboard.press("ControlOrMeta+End");
  for (let at = 0; at < 12; at += 1) await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("_");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Control+Space");
  await list(page).getByRole("option", { name: "action_input.customer" }).click();
  await expectExpression(message, "Pay {{upper(action_input.customer)}}");

  await message.fill("");
  await message.pressSequentially("Pay {{cust");
  await list(page).getByRole("option", { name: "action_input.customer" }).waitFor();
  await expect(page.locator(".cm-tooltip-autocomplete-disabled")).toHaveCount(0);
  await page.keyboard.press("Tab");
  await expect(message).toBeFocused();
  await message.pressSequentially(" or {{roun");
  await list(page).getByRole("option", { name: "round(number, decimals?)" }).waitFor();
  await expect(page.locator(".cm-tooltip-autocomplete-disabled")).toHaveCount(0);
  await page.keyboard.press("Enter");
  await message.pressSequentially("amo");
  await list(page).getByRole("option", { name: "action_input.amount" }).waitFor();
  await expect(page.locator(".cm-tooltip-autocomplete-disabled")).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expectExpression(message, "Pay {{action_input.customer}} or {{round(action_input.amount)}}");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Thanks");
  await message.blur();
  expect((await read()).message).toBe("Pay {{action_input.customer}} or {{round(action_input.amount)}}\nThanks");
});

test("by keyboard: one arrow key crosses a chip, one Backspace deletes it, Enter opens it, and Escape closes it", async ({
  signedInPage: page,
  product,
}) => {
  await openStep(page, product.url, "Check");
  const value = field(page, "Value");
  await expect(chips(value)).toHaveText("Action Input › amount number");
  await value.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("a");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("b");
  await expectExpression(value, "a{{action_input.amount}}b");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await expectExpression(value, "a");
  await page.keyboard.press("ControlOrMeta+z");
  await expectExpression(value, "a{{action_input.amount}}");

  await page.keyboard.press("Enter");
  await expect(chips(value)).toHaveCount(0);
  await expect(value).toHaveText("a{{action_input.amount}}");
  for (let letter = 0; letter < 6; letter += 1) await page.keyboard.press("Backspace");
  await page.keyboard.type("customer");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(chips(value)).toHaveText("Action Input › customer string");
  await expect(value).toBeFocused();
  await expectExpression(value, "a{{action_input.customer}}");
});

test("by mouse: a press selects a chip, a double-click opens it, and a copied chip is text", async ({
  signedInPage: page,
  product,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await openStep(page, product.url, "Ask");
  const message = field(page, "Message");
  await chips(message).click();
  await expect(message.locator("[data-selected]")).toHaveCount(1);
  await page.keyboard.press("ControlOrMeta+c");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("{{action_input.amount}}");
  await page.keyboard.press("Delete");
  await expectExpression(message, "Refund  to {{upper(action_input.customer)}}?");
  await page.keyboard.press("ControlOrMeta+v");
  await expect(chips(message)).toHaveCount(1);
  await chips(message).dblclick();
  await expect(message).toContainText("Refund {{action_input.amount}} to");
  await expect(message).toBeFocused();
});

test("undo works step by step inside a field, and reverts the whole edit at once after the field is left", async ({
  signedInPage: page,
  product,
}) => {
  const read = await openStep(page, product.url, "Ask");
  const message = field(page, "Message");
  await message.click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(" One");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(" two");
  await page.keyboard.press("ControlOrMeta+z");
  await expectExpression(message, `${MESSAGE} One`);
  await page.keyboard.press("ControlOrMeta+Shift+z");
  await expectExpression(message, `${MESSAGE} One two`);

  await page.keyboard.press("Escape");
  await expect(card(page, "Ask")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+z");
  await expect.poll(async () => (await read()).message).toBe(MESSAGE);

  // An edit that was undone inside the field leaves nothing for the canvas to undo.
  await page.keyboard.press("ControlOrMeta+Shift+z");
  await expect.poll(async () => (await read()).message).toBe(`${MESSAGE} One two`);
  await card(page, "Ask").click();
  await message.click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type("!");
  await page.keyboard.press("ControlOrMeta+z");
  await expectExpression(message, `${MESSAGE} One two`);
  // The field has nothing left to undo, so the canvas undoes its previous change. The field keeps the focus.
  await page.keyboard.press("ControlOrMeta+z");
  await expectExpression(message, MESSAGE);
  await expect(message).toBeFocused();
});
