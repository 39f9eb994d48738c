import { expectNoFaultInEitherTheme } from "#e2e/accessibility";
import { card, createWorkflow, expectExpression } from "#e2e/canvas-drawing";
import { pickStep } from "#e2e/draw-workflow";
import { chips, DRAWING, field, MESSAGE, openStep } from "#e2e/expression-drawing";
import { expect, test, waitUntilIdle } from "#e2e/fixtures";

test("by mouse: the first click after an empty required field reaches its target", async ({
  signedInPage: page,
  product,
}) => {
  await openStep(page, product.url, "Check");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add a step between Action Input and Check" }).click();
  await pickStep(page, "if");
  const value = field(page, "Value");
  await expect(value).toBeFocused();
  const compared = field(page, "Compared with");
  // Presses slowly: anything that appears when the field loses the focus would move the target away from the pointer.
  await page.getByRole("button", { name: "Add rule" }).hover();
  const before = await compared.boundingBox();
  await page.mouse.down();
  await expect(value).not.toBeFocused();
  expect(await compared.boundingBox()).toEqual(before);
  await page.mouse.up();
  await expect(page.getByRole("list").filter({ has: value }).getByRole("listitem")).toHaveCount(2);
  await expect(value.first()).toHaveAttribute("aria-invalid", "true");

  await compared.first().hover();
  await page.mouse.down();
  await page.mouse.up();
  await page.keyboard.type("7");
  await expectExpression(compared.first(), "7");
});

test("by keyboard: an empty required field shows its problem when it loses the focus, and keeps its place", async ({
  signedInPage: page,
  product,
}) => {
  await openStep(page, product.url, "Check");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add a step between Action Input and Check" }).click();
  await pickStep(page, "if");
  const value = field(page, "Value");
  await expect(value).toBeFocused();
  await expect(value).not.toHaveAttribute("aria-invalid");
  // Measures between the two fields, because the panel may scroll to the field that gets the focus.
  const distance = async () => {
    const [from, to] = await Promise.all([value.boundingBox(), field(page, "Compared with").boundingBox()]);
    return from && to && { x: to.x - from.x, y: to.y - from.y, width: to.width, height: to.height };
  };
  // `hover` waits until its target stops moving.
  await page.getByRole("button", { name: "Add rule" }).hover();
  const before = await distance();
  expect(before).not.toBeNull();
  // Enter neither leaves the field nor adds a line break.
  await page.keyboard.press("Enter");
  await expect(value).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(value).toHaveAttribute("aria-invalid", "true");
  await expect(value).toHaveAccessibleDescription("Is required");
  // The problem has a line of its own between the fields.
  const after = await distance();
  expect(after).toEqual({ ...before, y: expect.any(Number) });
  expect((after?.y ?? 0) - (before?.y ?? 0)).toBeLessThan(30);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.type("5");
  await expectExpression(value, "5");
});

test("the shortcuts of the canvas work inside a field, and its text stays as it is", async ({
  signedInPage: page,
  product,
}) => {
  const read = await openStep(page, product.url, "Ask");
  const message = field(page, "Message");
  await message.click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type("!");
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+f");
  await expect(page.getByRole("textbox", { name: "Find in this workflow" })).toBeFocused();
  await page.keyboard.press("Escape");
  for (const [keys, name] of [
    ["ControlOrMeta+k", "Command palette"],
    ["ControlOrMeta+Shift+p", "Activate"],
  ] as const) {
    await message.click();
    await page.keyboard.press(keys);
    await expect(page.getByRole("dialog", { name })).toBeVisible();
    await waitUntilIdle(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  await message.click();
  await page.keyboard.press("ControlOrMeta+b");
  await expect(page.locator("[data-nav]")).toHaveAttribute("data-nav", "collapsed");
  await page.keyboard.press("ControlOrMeta+b");
  await page.keyboard.press("F2");
  await expect(field(page, "Step name")).toBeFocused();
  await message.click();
  await page.keyboard.press("ControlOrMeta+Shift+Enter");
  await expect(page.getByRole("button", { name: "Run to here" })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByRole("region", { name: "Test", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Close the test panel" }).click();
  expect((await read()).message).toBe(`${MESSAGE}!`);

  await message.click();
  await page.keyboard.press("ControlOrMeta+d");
  await expect(page.getByRole("complementary", { name: "Settings for Ask (copy)" })).toBeVisible();
  await expect(message).toBeFocused();
  await expectExpression(message, `${MESSAGE}!`);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("complementary", { name: /^Settings for Ask/ })).toBeHidden();
});

test("a field with an expression has space reserved for the line under it, so previews and errors move nothing", async ({
  signedInPage: page,
  product,
}) => {
  await openStep(page, product.url, "Check");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  // An amount too small to need approval.
  await page.getByRole("textbox", { name: "amount" }).fill("3");
  await page.getByRole("textbox", { name: "customer" }).fill("Ada");
  await page.keyboard.press("ControlOrMeta+Enter");
  const value = field(page, "Value");
  await expect(page.getByTitle("3", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Close the test panel" }).click();
  const boxes = async () => [await value.boundingBox(), await field(page, "Compared with").boundingBox()];
  await expect(chips(value)).toHaveCount(1);
  const before = await boxes();
  await value.fill("");
  await page.keyboard.type("{{upper(");
  await expect(page.getByText("{{upper(: an argument is missing")).toBeVisible();
  expect(await boxes()).toEqual(before);
  await page.keyboard.press("Escape");
  await value.fill("{{upper(action_input.customer)}}");
  await expect(page.getByTitle('"ADA"', { exact: true })).toBeVisible();
  expect(await boxes()).toEqual(before);
});

test("until the editor is loaded, a plain field of the same size takes the text, and nothing is lost", async ({
  signedInPage: page,
  product,
}) => {
  const id = await createWorkflow(page, product.url, "Slow network", DRAWING);
  const held: (() => void)[] = [];
  let isHolding = true;
  await page.route("**/*.js", async (route) => {
    const answer = await route.fetch();
    const text = await answer.text();
    if (isHolding && text.includes("cm-widgetBuffer")) await new Promise<void>((release) => held.push(release));
    await route.fulfill({ response: answer, body: text });
  });
  await page.goto(`/workflows/${id}`);
  await card(page, "Ask").click();
  const message = field(page, "Message");
  const plain = page.locator("textarea[data-field=message]");
  await expect(plain).toBeVisible();
  const before = await message.boundingBox();
  await plain.focus();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(" First");
  isHolding = false;
  for (const release of held) release();
  await expect(plain).toHaveCount(0);
  await expect(message).toBeFocused();
  await page.keyboard.type(", second");
  await expectExpression(message, `${MESSAGE} First, second`);
  const after = await message.boundingBox();
  expect([after?.x, after?.y, after?.width]).toEqual([before?.x, before?.y, before?.width]);
  await page.keyboard.press("Escape");
  await card(page, "Check").click();
  await expect(chips(field(page, "Value"))).toHaveCount(1);
  // A file may still be on its way.
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("a broken reference is a red chip with a fix, and neither theme has an accessibility fault", async ({
  signedInPage: page,
  product,
}) => {
  await openStep(page, product.url, "Ask");
  const message = field(page, "Message");
  await message.fill("Refund {{action_input.amoun}} for {{foo bar}}");
  await expect(message.locator("[data-broken]")).toHaveCount(1);
  await message.blur();
  await expect(message).toHaveAttribute("aria-invalid", "true");
  await expect(message.locator(".expression-invalid")).toHaveAttribute("title", "}} must follow the path");
  await expectNoFaultInEitherTheme(page);
  await page.getByRole("button", { name: "Use action_input.amount" }).click();
  await expectExpression(message, "Refund {{action_input.amount}} for {{foo bar}}");
  await expect(message.locator("[data-broken]")).toHaveCount(0);
});
