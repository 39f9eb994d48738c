import { createHmac } from "node:crypto";
import type { Page } from "playwright/test";
import { findFaults } from "#e2e/accessibility";
import { expect, test } from "#e2e/fixtures";

async function createWorkflow(page: Page, name: string, start: string): Promise<void> {
  await page.goto("/workflows?new=true");
  const dialog = page.getByRole("dialog", { name: "New workflow" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByText(start, { exact: true }).click();
  await dialog.getByRole("button", { name: "Create and open" }).click();
  await expect(page).toHaveURL(/\/workflows\/[0-9a-f-]{36}$/);
}

function card(page: Page, name: string) {
  return page.getByRole("group", { name: new RegExp(`^Step \\d+, ${name},`) });
}

async function addTransform(page: Page, after: string): Promise<void> {
  await page.getByRole("button", { name: `Add a step after ${after}` }).click();
  await page.getByRole("combobox", { name: "Search steps" }).fill("transform");
  await page.keyboard.press("Enter");
}

async function saved(page: Page): Promise<void> {
  await expect(page.locator("[data-save-status]")).toHaveAttribute("data-save-status", "saved");
}

async function activate(page: Page) {
  await page.getByRole("button", { name: "Activate" }).click();
  const dialog = page.getByRole("dialog", { name: "Activate" });
  await expect(dialog.getByText("No problems found.")).toBeVisible();
  await dialog.getByRole("button", { name: "Activate" }).click();
  const done = page.getByRole("dialog", { name: "Version 1 is live" });
  await expect(done).toBeVisible();
  return done;
}

/** Signs a body the way Standard Webhooks defines it. */
function sign(body: string, secret: string, id: string) {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}

test("an activated webhook starts a run only for a delivery that its secret signed, and only once", async ({
  signedInPage: page,
  playwright,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1600, height: 1000 });
  await createWorkflow(page, "New orders", "A webhook");

  await addTransform(page, "Webhook");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("total");
  await page.getByRole("textbox", { name: "Value", exact: true }).pressSequentially("{{trig");
  await expect(page.getByRole("option", { name: "trigger.output.body" })).toBeVisible();
  await page.getByRole("textbox", { name: "Value", exact: true }).fill("{{trigger.output.body.total}}");
  await page.keyboard.press("Escape");

  await card(page, "Webhook").click();
  await page.getByRole("button", { name: "Generate a secret" }).click();
  const secret = (await page.getByTestId("webhook-secret").textContent()) ?? "";
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await page.getByRole("combobox", { name: "Sender" }).selectOption("Standard Webhooks");
  await saved(page);

  // An external service without a session or a key.
  const sender = await playwright.request.newContext();
  const shown = page.getByRole("region", { name: "URL" }).getByText(/\/webhooks\/[0-9a-f-]{36}$/);
  const draftAddress = (await shown.textContent()) ?? "";
  expect((await sender.post(draftAddress, { data: "{}" })).status()).toBe(404);
  await page.getByRole("button", { name: "Listen for a test event" }).click();
  const waiting = page.getByRole("region", { name: "Test event" });
  await expect(waiting.getByRole("timer")).toHaveText(/^[12]:\d\d$/);
  const testAddress = (await waiting.getByText(/\/webhooks\/test\/[0-9a-f-]{36}$/).textContent()) ?? "";
  expect((await sender.post(testAddress, { data: "{}" })).status()).toBe(401);
  await expect(waiting.getByRole("alert")).toContainText("the standard signature is missing or malformed");
  expect(await findFaults(page)).toEqual([]);
  const sample = '{"total":41}';
  const tried = await sender.post(testAddress, { data: sample, headers: sign(sample, secret, "msg_0") });
  expect(await tried.json()).toEqual({ accepted: true, test: true });
  await expect(waiting).toContainText("Tests use this event.");
  await card(page, "Transform").click();
  await expect(page.getByText("= 41")).toBeVisible();
  await card(page, "Webhook").click();

  const done = await activate(page);
  const address = (await done.getByText(/\/webhooks\/[0-9a-f-]{36}$/).textContent()) ?? "";
  expect(address).toBe(draftAddress);
  await done.getByRole("button", { name: "Back to the canvas" }).click();

  const body = '{"total":42}';
  const headers = sign(body, secret, "msg_1");
  expect((await sender.post(address, { data: body, headers: { "content-type": "application/json" } })).status()).toBe(
    401,
  );
  expect((await sender.post(address, { data: '{"total":43}', headers })).status()).toBe(401);
  const accepted = await sender.post(address, { data: body, headers });
  expect(accepted.status()).toBe(202);
  const { run_id: runId } = await accepted.json();
  const repeated = await sender.post(address, { data: body, headers });
  expect(repeated.status()).toBe(200);
  expect(await repeated.json()).toEqual({ accepted: false, duplicate: true, run_id: runId });
  expect((await sender.get(address)).status()).toBe(405);

  const events = page.getByRole("region", { name: "Recent events" });
  await expect(events.getByRole("listitem")).toHaveCount(4);
  await expect(events.getByText("Wrong signature")).toHaveCount(2);
  await events.getByRole("link", { name: "Accepted" }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${runId}`));
  await expect(page.getByText("Succeeded").first()).toBeVisible();

  await page.goBack();
  await card(page, "Webhook").click();
  await page.getByRole("button", { name: "Deliver again" }).click();
  await expect(events.getByRole("listitem")).toHaveCount(5);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  expect((await sender.post(address, { data: body, headers: sign(body, secret, "msg_2") })).status()).toBe(404);
  await sender.dispose();
});

test("a schedule shows its next runs, refuses one that never fires, and can be fired manually", async ({
  signedInPage: page,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1600, height: 1000 });
  await createWorkflow(page, "Monday report", "A schedule");
  await expect(page).toHaveTitle("Monday report · Signalbox");
  await addTransform(page, "Schedule");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("at");
  await page.getByRole("textbox", { name: "Value", exact: true }).fill("{{trigger.output.timestamp}}");
  await page.keyboard.press("Escape");

  await card(page, "Schedule").click();
  const fires = page.getByRole("region", { name: "Upcoming runs" });
  const zone = page.getByRole("button", { name: /^Time zone: / });
  await zone.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "Search time zones" })).toBeFocused();
  await page.keyboard.type("berlin");
  await expect(page.getByRole("listbox", { name: "Time zones" }).getByRole("option")).toHaveText([
    /^Europe\/Berlin ?UTC\+0[12]:00$/,
  ]);
  await page.keyboard.press("Enter");
  await expect(zone).toHaveAccessibleName(/^Time zone: Europe\/Berlin UTC\+0[12]:00$/);
  for (const day of ["Tuesday", "Wednesday", "Thursday", "Friday"])
    await page.getByRole("checkbox", { name: day }).click();
  await page.getByLabel("Time", { exact: true }).fill("12:30");
  await expect(fires.getByText("At 12:30 PM, only on Monday")).toBeVisible();
  await expect(fires.getByRole("listitem")).toHaveCount(5);
  await expect(fires.getByRole("listitem").first()).toContainText(/Mon,? .*12:30/);
  await page.getByRole("combobox", { name: "Runs" }).selectOption("On a cron schedule");
  await expect(page.getByRole("textbox", { name: "Cron expression" })).toHaveValue("30 12 * * 1");
  await page.getByRole("textbox", { name: "Cron expression" }).fill("0 0 31 2 *");
  await expect(page.getByText("never fires: there is no such date")).toBeVisible();

  await page.getByRole("combobox", { name: "Runs" }).selectOption("At a fixed interval");
  const seconds = page.getByRole("textbox", { name: "Seconds between runs" });
  await seconds.fill("59");
  await seconds.blur();
  await expect(page.getByText("Must be a whole number from 60 to 86400", { exact: true })).toBeVisible();
  await seconds.fill("3600");
  await expect(fires.getByText("Every 3,600 seconds")).toBeVisible();
  await saved(page);

  const done = await activate(page);
  await expect(done.getByText(/Next run:/)).toBeVisible();
  await done.getByRole("button", { name: "Back to the canvas" }).click();
  await expect(page.getByText("Activated")).toBeVisible();
  expect(await findFaults(page)).toEqual([]);

  await page.getByRole("button", { name: "Run now" }).click();
  await page.getByRole("button", { name: "View run" }).click();
  await expect(page.getByText("Succeeded").first()).toBeVisible();

  await page.goto("/workflows");
  const row = page.getByRole("row", { name: /Monday report/ });
  await expect(row.getByText("Event-driven")).toBeVisible();
  await expect(row.getByText(/next run in/)).toBeVisible();
});

test("a sample is sent to the address of a signed webhook as soon as it is active, and its run is one click away", async ({
  signedInPage: page,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1600, height: 1000 });
  await createWorkflow(page, "Sampled orders", "A webhook");
  await addTransform(page, "Webhook");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("total");
  await page.getByRole("textbox", { name: "Value", exact: true }).fill("{{trigger.output.body.total}}");
  await page.keyboard.press("Escape");
  await card(page, "Webhook").click();
  await page.getByRole("button", { name: "Generate a secret" }).click();
  await page.getByRole("combobox", { name: "Sender" }).selectOption("Standard Webhooks");
  await saved(page);
  const done = await activate(page);
  await done.getByRole("button", { name: "Send a sample" }).click();
  const sample = done.getByRole("region", { name: "Send a sample" });
  await sample.getByRole("textbox", { name: "Body" }).fill('{"total": 42}');
  expect(await findFaults(page)).toEqual([]);
  await sample.getByRole("button", { name: "Send" }).click();
  await expect(sample.getByText("Responded with 202.")).toBeVisible();
  await sample.getByRole("link", { name: "View run" }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}/);
  await expect(page.getByText("Succeeded").first()).toBeVisible();
});
