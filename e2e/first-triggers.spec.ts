import { readDraft } from "#e2e/canvas-drawing";
import { card, saved } from "#e2e/draw-workflow";
import { expect, test } from "#e2e/fixtures";
import {
  addInputField,
  addStep,
  callAction,
  createWorkflow,
  earlierValue,
  endedRun,
  expectClicks,
  mainLink,
  NewUser,
  newSlug,
  publish,
  startRun,
} from "#e2e/new-user";

test.use({ viewport: { width: 1440, height: 900 }, locale: "en-US" });

test("a condition with two branches is published and called within 19 clicks", async ({
  signedInPage: page,
  api,
}, info) => {
  test.slow();
  const user = new NewUser(page);
  await page.goto("/workflows");
  await createWorkflow(user, "Order size");
  await addInputField(user, "amount");
  await user.choose(page.getByRole("combobox", { name: "Type" }), "number");
  await addStep(user, "Add a step between Action Input and Return Output", "condition", /^Condition/);
  await expect(page.getByRole("textbox", { name: "Value", exact: true })).toBeFocused();
  await user.click(earlierValue(page, /^amount/));
  await user.choose(page.getByRole("combobox", { name: "Comparison" }), "is greater than");
  await user.clickAndType(page.getByRole("textbox", { name: "Compared with" }), "500");
  await addStep(user, "Add a step after Condition, branch False", "return", /^Return Output/);
  for (const [step, size] of [
    ["Return Output 2", "small"],
    ["Return Output", "large"],
  ] as const) {
    if (size === "large") await user.click(card(page, step));
    await user.click(page.getByRole("button", { name: "Add field" }));
    await user.type(page.getByRole("textbox", { name: "Name", exact: true }), "size");
    await user.clickAndType(page.getByRole("textbox", { name: "Value" }), size);
  }
  const slug = newSlug("order-size");
  await publish(user, slug);

  expect(await callAction(api, slug, { amount: 900 })).toMatchObject({ output: { size: "large" } });
  expect(await callAction(api, slug, { amount: 5 })).toMatchObject({ output: { size: "small" } });
  expectClicks(user, info, 19);
});

test("a webhook receives a sample and calls a service within 10 clicks", async ({
  signedInPage: page,
  service,
  api,
}, info) => {
  test.slow();
  const user = new NewUser(page);
  await page.goto("/workflows");
  await createWorkflow(user, "New orders", "A webhook");
  await addStep(user, "Add a step after Webhook", "http", /^HTTP request/);
  await user.type(page.getByRole("textbox", { name: "URL" }), `${service.url}/orders`);
  const success = await publish(user);
  await user.click(success.getByRole("button", { name: "Send a sample" }));
  await user.click(success.getByRole("button", { name: "Send", exact: true }));
  await expect(success.getByText("Responded with 202.")).toBeVisible();
  const link = success.getByRole("link", { name: "View run", exact: true });
  const runId = (await link.getAttribute("href"))?.split("/").at(-1) ?? "";
  await user.click(link);
  await expect(page).toHaveURL(new RegExp(runId));
  expect(await endedRun(api, runId)).toMatchObject({ status: "succeeded", source: "webhook" });
  expect(service.requests.map(({ path }) => path)).toEqual(["/orders"]);
  expectClicks(user, info, 10);
});

test("a schedule for every weekday at 17:30 is published within 10 clicks", async ({
  signedInPage: page,
  product,
  service,
}, info) => {
  test.slow();
  const user = new NewUser(page);
  await page.goto("/workflows");
  await createWorkflow(user, "Evening report", "A schedule");
  await user.click(card(page, "Schedule"));
  const time = page.getByLabel("Time", { exact: true });
  // Clicks the first part of the browser's own control, which is typed part by part.
  await user.click(time, { x: 14, y: 16 });
  await user.type(time, "0530PM");
  await expect(time).toHaveValue("17:30");
  await addStep(user, "Add a step after Schedule", "http", /^HTTP request/);
  await user.type(page.getByRole("textbox", { name: "URL" }), `${service.url}/report`);
  await saved(page);
  const workflowId = page.url().match(/workflows\/([0-9a-f-]+)/)?.[1] ?? "";
  const { nodes } = await readDraft(page, product.url, workflowId);
  expect(nodes[0]?.data).toMatchObject({ kind: "schedule", mode: "cron", expression: "30 17 * * 1-5" });
  const success = await publish(user);
  await expect(success.getByText(/Next run: .*5:30\sPM/)).toBeVisible();
  await user.click(success.getByRole("button", { name: "Back to the canvas" }));

  const fired = await page.request.post("/api/web/run_workflow", {
    headers: { origin: product.url },
    data: { workflow_id: workflowId },
  });
  expect(fired.status()).toBe(200);
  await expect.poll(() => service.requests.map(({ path }) => path)).toEqual(["/report"]);
  expectClicks(user, info, 10);
});

test("an approval gate is published, called and approved on the page of approvals within 10 clicks", async ({
  signedInPage: page,
  api,
}, info) => {
  test.slow();
  const user = new NewUser(page);
  await page.goto("/workflows");
  const slug = newSlug("refund");
  await createWorkflow(user, slug);
  await addStep(user, "Add a step between Action Input and Return Output", "approval", /^Approval/);
  await user.type(page.getByRole("textbox", { name: "Message" }), "Refund the order?");
  const success = await publish(user, slug);
  const runId = await startRun(api, slug, {});
  await user.click(success.getByRole("button", { name: "Back to the canvas" }));
  await user.click(mainLink(user, /^Approvals/));
  await user.click(page.getByRole("list", { name: "Requests" }).getByRole("link").filter({ hasText: slug }));
  const request = page.getByRole("region", { name: "Request" });
  await expect(request).toContainText("Refund the order?");
  await user.click(request.getByRole("button", { name: "Approve" }));
  expect(await endedRun(api, runId)).toMatchObject({ status: "succeeded", approval: { status: "approved" } });
  expectClicks(user, info, 10);
});
