import { card } from "#e2e/draw-workflow";
import { expect, test } from "#e2e/fixtures";
import {
  addInputField,
  addStep,
  callAction,
  createWorkflow,
  earlierValue,
  expectClicks,
  mainLink,
  NewUser,
  newSlug,
  publish,
  testDraft,
} from "#e2e/new-user";

test.use({ viewport: { width: 1440, height: 900 } });

test("an HTTP request with a retry and a failure path is published and called within 27 clicks", async ({
  signedInPage: page,
  service,
  api,
}, info) => {
  test.slow();
  service.answerWith(({ path }) => ({ json: { path, total: 42.5 } }));
  const user = new NewUser(page);
  await page.goto("/workflows");
  await createWorkflow(user, "Order total");
  await addInputField(user, "order_id");
  await addStep(user, "Add a step between Action Input and Return Output", "http", /^HTTP request/);
  await user.type(page.getByRole("textbox", { name: "URL" }), `${service.url}/orders/`);
  await user.click(earlierValue(page, /^order_id/));
  await user.click(page.getByRole("tab", { name: "Retries & errors" }));
  await user.choose(page.getByRole("combobox", { name: "Retries" }), "2");
  await addStep(user, "Add a step after HTTP request, branch Failed", "return", /^Return Output/);
  await user.click(page.getByRole("button", { name: "Add field" }));
  await user.type(page.getByRole("textbox", { name: "Name", exact: true }), "state");
  await user.clickAndType(page.getByRole("textbox", { name: "Value" }), "unavailable");

  await testDraft(user, "order_id", "A-7");
  expect(service.requests.at(-1)?.path).toBe("/orders/A-7");
  await user.click(card(page, "Return Output"));
  await user.click(earlierValue(page, /^body/).locator("button").first());
  await user.click(earlierValue(page, /^total/));
  await expect(page.getByRole("combobox", { name: "Type" })).toHaveValue("number");
  const slug = newSlug("order-total");
  await publish(user, slug);

  const found = await callAction(api, slug, { order_id: "B-8" });
  expect([found.status, found.output]).toEqual(["succeeded", { total: 42.5 }]);
  const before = service.requests.length;
  service.answerWith(() => ({ status: 503, json: {} }));
  const failed = await callAction(api, slug, { order_id: "C-9" });
  expect([failed.status, failed.output]).toEqual(["succeeded", { state: "unavailable" }]);
  expect(service.requests.length - before).toBe(3);
  expectClicks(user, info, 27);
});

const BILLS = `openapi: 3.1.0
info: { title: Bills }
paths:
  /bills/{bill_id}:
    get:
      operationId: getBill
      summary: Get a bill
      parameters:
        - { name: bill_id, in: path, required: true, schema: { type: string } }
`;

test("an operation of an OpenAPI document works in a workflow within 12 clicks", async ({
  signedInPage: page,
  service,
}, info) => {
  test.slow();
  service.answerWith(({ path }) => ({ json: { path, amount: 42 } }));
  const name = `Bills ${Date.now().toString(36)}`;
  const builder = new NewUser(page);
  await page.goto("/connections");
  await builder.click(page.getByRole("navigation", { name: "Connections" }).getByRole("link", { name: "Connectors" }));
  await builder.click(page.getByRole("link", { name: "Build a connector" }).first());
  await builder.chooseFile(page.getByRole("button", { name: "Upload a file" }), {
    name: "bills.yaml",
    mimeType: "application/yaml",
    buffer: Buffer.from(BILLS.replace("Bills", name)),
  });
  await expect(page.getByText("1 operation", { exact: true })).toBeVisible();
  await builder.clickAndType(page.getByLabel("Base URL"), service.url);
  await builder.click(page.getByRole("button", { name: "Build", exact: true }));
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();

  const user = new NewUser(page);
  await user.click(mainLink(user, "Workflows"));
  await createWorkflow(user, "Read a bill");
  await addInputField(user, "bill");
  await addStep(user, "Add a step between Action Input and Return Output", `get a bill ${name}`, /Get a bill/);
  await user.click(page.getByRole("textbox", { name: "bill_id" }));
  await user.click(earlierValue(page, /^bill/));
  await testDraft(user, "bill", "A-7");
  expect(service.requests.at(-1)).toMatchObject({ method: "GET", path: "/bills/A-7" });
  const withDocument = user.clicks + builder.clicks;
  info.annotations.push({ type: "clicks", description: `${withDocument} with adding the document` });
  expect(withDocument).toBeLessThanOrEqual(20);
  expectClicks(user, info, 12);
});

test("a loop with a code step is published and called within 22 clicks", async ({ signedInPage: page, api }, info) => {
  test.slow();
  const user = new NewUser(page);
  await page.goto("/workflows");
  await createWorkflow(user, "Gross prices");
  await addInputField(user, "orders");
  await user.choose(page.getByRole("combobox", { name: "Type" }), "array");
  await addStep(user, "Add a step between Action Input and Return Output", "loop", /^Loop/);
  await expect(page.getByRole("textbox", { name: "List" })).toBeFocused();
  await user.click(earlierValue(page, /^orders/));
  await addStep(user, "Add a step inside", "code", /^Code/);
  await user.click(earlierValue(page, /^item/));
  const source = page.getByRole("textbox", { name: "TypeScript" });
  await user.click(source);
  await user.retype(source, "return input.item.price * 2;");
  await user.click(card(page, "Return Output"));
  await user.click(earlierValue(page, /^results/));
  await testDraft(user, "orders", '[{"price": 1}]');
  const slug = newSlug("gross-prices");
  await publish(user, slug);

  expect(await callAction(api, slug, { orders: [{ price: 2 }, { price: 5 }] })).toMatchObject({
    status: "succeeded",
    output: { results: [4, 10] },
  });
  expectClicks(user, info, 22);
});
