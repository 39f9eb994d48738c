import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright/test";
import { card, dragToStep, nameStep, pickStep, saved } from "#e2e/draw-workflow";
import { expect, test } from "#e2e/fixtures";
import type { ServiceAnswer } from "#e2e/local-service";

const execute = promisify(execFile);

async function signUp(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Create the owner account" })).toBeVisible();
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("Workspace").fill("Analytical Engines");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("a phrase of five words");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "No workflows yet" })).toBeVisible();
}

async function createWorkflow(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "New workflow" }).click();
  await page.getByRole("dialog", { name: "New workflow" }).getByLabel("Name").fill(name);
  await page.keyboard.press("Enter");
  await expect(card(page, "Action Input")).toBeVisible();
}

const nameField = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });
const valueField = (page: Page) => page.getByRole("textbox", { name: "Value", exact: true });

/**
 * Draws five steps. A small order is marked and looked up at the shop, and any other order goes straight to the output.
 */
async function draw(page: Page, shopUrl: string): Promise<void> {
  await card(page, "Action Input").click();
  for (const [index, [name, type]] of Object.entries({ order_id: "string", amount: "number" }).entries()) {
    await page.getByRole("button", { name: "Add field" }).click();
    await nameField(page).nth(index).fill(name);
    await page.getByRole("combobox", { name: "Type" }).nth(index).selectOption(type);
  }

  await page.getByRole("button", { name: "Add a step between Action Input and Return Output" }).click();
  await pickStep(page, "if");
  await valueField(page).fill("{{action_input.amount}}");
  await page.getByRole("combobox", { name: "Comparison" }).selectOption("is less than");
  await page.getByRole("textbox", { name: "Compared with" }).fill("500");
  await nameStep(page, "Under 500");

  await page.getByRole("button", { name: "Add a step after Under 500, branch True" }).click();
  await pickStep(page, "transform");
  await nameField(page).fill("size");
  await valueField(page).fill("small");
  await nameStep(page, "Mark small");

  await page.getByRole("button", { name: "Add a step between Mark small and Return Output" }).click();
  await pickStep(page, "http");
  await page.getByRole("textbox", { name: "URL" }).fill(`${shopUrl}/orders/{{action_input.order_id}}`);
  await nameStep(page, "Ask the shop");

  // The window is too low for five steps in a column.
  await page.getByRole("button", { name: "Fit to view" }).click();
  await card(page, "Return Output").click();
  const fields = { size: '{{mark_small.size ?? "large"}}', state: '{{ask_the_shop.body.state ?? "none"}}' };
  for (const [index, [name, value]] of Object.entries(fields).entries()) {
    await page.getByRole("button", { name: "Add field" }).click();
    await nameField(page).nth(index).fill(name);
    await valueField(page).nth(index).fill(value);
  }
  await nameField(page).first().focus();

  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await dragToStep(page, "Under 500", "false", "Return Output");
  await saved(page);
  // Tidying loads its code first, so the draft can be saved before it is tidied.
  const tidied = page.waitForResponse("**/api/web/save_draft");
  await page.keyboard.press("Shift+L");
  await tidied;
  await saved(page);
  await expect(page.getByText("No problems")).toBeVisible();
  await expect(page.locator(".react-flow__node")).toHaveCount(5);
  await expect(page.locator(".react-flow__edge")).toHaveCount(5);
}

/** @returns the call that the product shows when the action is live */
async function publish(page: Page, slug: string): Promise<string> {
  await page.getByRole("button", { name: "Activate" }).click();
  const dialog = page.getByRole("dialog", { name: "Activate" });
  await dialog.getByRole("textbox", { name: "Slug" }).pressSequentially(slug);
  await expect(dialog.getByText("Available")).toBeVisible();
  await dialog.getByRole("button", { name: "Activate" }).click();
  const success = page.getByRole("dialog", { name: "Version 1 is live" });
  return (await success.getByRole("figure", { name: "Call the action" }).locator("pre").textContent()) ?? "";
}

/** @returns the raw key, which is shown only once */
async function createKey(page: Page): Promise<string> {
  await page.getByRole("link", { name: "Create an API key" }).click();
  const dialog = page.getByRole("dialog", { name: "New API key" });
  await dialog.getByLabel("Name").fill("Support bot");
  await dialog.getByRole("button", { name: /^Agent/ }).click();
  await dialog.getByRole("button", { name: "Create key" }).click();
  const rawKey = (await page.getByTestId("raw-key").textContent()) ?? "";
  await page.getByRole("button", { name: "I saved it" }).click();
  await expect(page.getByRole("row").filter({ hasText: rawKey.slice(0, 8) })).toContainText("Support bot");
  await page.reload();
  await expect(page.getByRole("row").filter({ hasText: "Support bot" })).toBeVisible();
  expect(await page.content()).not.toContain(rawKey);
  return rawKey;
}

test("on a new instance a user signs up, draws a workflow, publishes it, calls it and watches it succeed", async ({
  startEmptyProduct,
  service,
  page,
}) => {
  // Starts a second instance and makes about 70 manual actions.
  test.slow();
  // The shop delays its answer, so that the test can watch the running run.
  const answer = Promise.withResolvers<ServiceAnswer>();
  service.answerWith(() => answer.promise);
  const product = await startEmptyProduct({ OUTBOUND_ALLOW: "127.0.0.1" });
  await page.setViewportSize({ width: 1600, height: 1000 });
  await page.goto(product.url);
  await signUp(page);
  await createWorkflow(page, "Order check");
  await draw(page, service.url);
  const call = await publish(page, "check-order");
  const rawKey = await createKey(page);

  const { stdout } = await execute("sh", ["-c", call.replace("$SVC_API_KEY", rawKey)]);
  const called = JSON.parse(stdout);
  expect(called).toMatchObject({ action_slug: "check-order", status: "accepted", source: "action", steps: [] });

  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await page.getByRole("link", { name: /of check-order$/ }).click();
  await expect(page).toHaveURL(`${product.url}/runs/${called.run_id}`);
  await expect.poll(() => service.requests.map(({ path }) => path)).toEqual([`/orders/${called.input.order_id}`]);
  const status = page
    .locator("header")
    .first()
    .getByText(/^(Queued|Running|Succeeded)$/);
  await expect(status).toHaveText("Running");
  await expect(page.getByRole("option", { name: /Mark small.*Succeeded/ })).toBeVisible();
  await expect(page.getByRole("option", { name: /Return Output/ })).toContainText("not started");
  await page.evaluate(() => document.body.setAttribute("data-loaded", "once"));

  answer.resolve({ json: { state: "paid" } });
  await expect(status).toHaveText("Succeeded");
  await expect(page.getByRole("region", { name: "output" })).toHaveText(/"?size"?:\s*"small".*"?state"?:\s*"paid"/s);
  await expect(page.getByRole("option", { name: /Ask the shop.*Succeeded/ })).toBeVisible();
  await expect(page.locator("body")).toHaveAttribute("data-loaded", "once");
});
