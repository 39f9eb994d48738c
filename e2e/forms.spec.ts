import { findFaults } from "#e2e/accessibility";
import { card } from "#e2e/draw-workflow";
import { expect, test } from "#e2e/fixtures";
import { addStep, createWorkflow, earlierValue, expectClicks, NewUser, publish } from "#e2e/new-user";

test.use({ viewport: { width: 1440, height: 900 }, locale: "en-US" });

test("a form is published within 12 clicks, and its answers reach a service", async ({
  signedInPage: page,
  service,
  context,
}, info) => {
  test.slow();
  const user = new NewUser(page);
  await page.goto("/workflows");
  await createWorkflow(user, "Contact", "A form");
  await addStep(user, "Add a step after Form", "http", /^HTTP request/);
  await user.type(page.getByRole("textbox", { name: "URL" }), `${service.url}/leads?from=`);
  await user.click(earlierValue(page, /^email/));
  const success = await publish(user);
  const [form] = await Promise.all([
    context.waitForEvent("page"),
    user.click(success.getByRole("link", { name: "Open form" })),
  ]);
  expectClicks(user, info, 12);

  await form.getByLabel("Email").fill("ada@example.com");
  await form.getByLabel("Message").fill("Hello");
  // People take longer to fill in a form than the second that Signalbox asks for.
  await expect(async () => {
    await form.getByRole("button", { name: "Send" }).click();
    await expect(form.getByText("Thank you. We have received your message.")).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 20_000 });
  await expect(() =>
    expect(service.requests.map(({ path }) => path)).toEqual(["/leads?from=ada%40example.com"]),
  ).toPass({ timeout: 20_000 });
});

test("a form shows what is wrong, and then the output of its run, in both themes and on a phone", async ({
  signedInPage: page,
  context,
}) => {
  test.slow();
  const user = new NewUser(page);
  await page.goto("/workflows");
  await createWorkflow(user, "Price", "A form");
  await addStep(user, "Add a step after Form", "return", /^Return Output/);
  await page.getByRole("button", { name: "Add field" }).click();
  await user.type(page.getByRole("textbox", { name: "Name", exact: true }), "your_price");
  await user.clickAndType(page.getByRole("textbox", { name: "Value" }), "120 EUR for ");
  await user.click(earlierValue(page, /^email/));
  await card(page, "Form").click();
  await page.getByRole("combobox", { name: "After sending, show" }).selectOption("result");
  const success = await publish(user);
  const [form] = await Promise.all([
    context.waitForEvent("page"),
    success.getByRole("link", { name: "Open form" }).click(),
  ]);

  await form.setViewportSize({ width: 375, height: 812 });
  await form.getByLabel("Email").fill("ada@example");
  await form.getByLabel("Message").fill("How much?");
  const send = form.getByRole("button", { name: "Send" });
  const wrong = form.getByRole("link", { name: "Email must be an email address, such as ada@example.com." });
  // People take longer to fill in a form than the second that Signalbox asks for.
  await expect(async () => {
    await send.click();
    await expect(wrong).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 30_000 });
  for (const colorScheme of ["light", "dark"] as const) {
    await form.emulateMedia({ colorScheme });
    expect(await findFaults(form), colorScheme).toEqual([]);
  }
  await wrong.click();
  await expect(form.getByLabel("Email")).toBeFocused();
  await form.getByLabel("Email").fill("ada@example.com");
  await expect(async () => {
    await send.click();
    await expect(form.getByRole("definition")).toHaveText("120 EUR for ada@example.com", { timeout: 10_000 });
  }).toPass({ timeout: 30_000 });
  expect(await form.getByRole("term").textContent()).toBe("your price");
});
