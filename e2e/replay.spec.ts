import type { APIRequestContext, Page } from "playwright/test";
import { expectNoFaultInEitherTheme } from "#e2e/accessibility";
import { expect, type Product, test, waitUntilIdle } from "#e2e/fixtures";

const ACTION_INPUT = {
  id: "action_input",
  type: "action_input",
  position: { x: 0, y: 0 },
  data: {
    name: "Action Input",
    properties: [
      { name: "email", type: "string", required: true },
      { name: "amount", type: "number", required: true },
    ],
  },
};

function request(id: string, name: string, y: number, params: unknown) {
  return {
    id,
    type: "connector",
    position: { x: 0, y },
    data: { name, connector: "http", operation: "request", params },
  };
}

/** Publishes an action that makes two calls. The second call can fail. `mend` publishes a repaired version. */
async function publishRefund(page: Page, product: Product, serviceUrl: string) {
  const post = async (operation: string, data: unknown) => {
    const answer = await page.request.post(`/api/web/${operation}`, { headers: { origin: product.url }, data });
    expect(answer.status()).toBe(200);
    return answer.json();
  };
  const body = { email: "{{action_input.email}}", amount: "{{action_input.amount}}" };
  const output = { name: "refund_id", type: "string", value: "{{refund.body.id}}", required: false };
  const nodes = [
    ACTION_INPUT,
    request("find_order", "Find the order", 180, { method: "GET", url: `${serviceUrl}/orders` }),
    request("refund", "Create refund", 360, { method: "POST", url: `${serviceUrl}/refunds`, body }),
    {
      id: "return_output",
      type: "return_output",
      position: { x: 0, y: 540 },
      data: { name: "Answer", properties: [output] },
    },
  ];
  const edges = nodes.slice(1).map((node, index) => ({
    id: `e${index}`,
    source: nodes[index]?.id ?? "",
    target: node.id,
  }));
  const { workflow_id } = await post("create_workflow", { name: "Refund", definition: { nodes, edges } });
  const slug = `refund-${workflow_id.slice(-12)}`;
  await post("deploy_workflow", { workflow_id, slug });
  const mend = async () => {
    const region = { name: "region", type: "string", required: true };
    const input = {
      ...ACTION_INPUT,
      data: { ...ACTION_INPUT.data, properties: [...ACTION_INPUT.data.properties, region] },
    };
    const fixed = { ...body, region: "{{action_input.region}}" };
    const mended = nodes.map((node) =>
      node.id === "action_input"
        ? input
        : node.id === "refund"
          ? request("refund", "Create refund", 360, { method: "POST", url: `${serviceUrl}/v2/refunds`, body: fixed })
          : node,
    );
    await post("update_workflow", { workflow_id, definition: { nodes: mended, edges } });
    await post("deploy_workflow", { workflow_id, allow_breaking: true });
  };
  return { slug, mend };
}

const INPUT = { email: "ada@example.com", amount: 129 };

async function call(api: APIRequestContext, slug: string, status: string): Promise<string> {
  const { run_id } = await (await api.post(`/api/v1/runtime/actions/${slug}/run`, { data: { input: INPUT } })).json();
  await expect.poll(async () => (await (await api.get(`/api/v1/runtime/runs/${run_id}`)).json()).status).toBe(status);
  return run_id;
}

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Replay this run" });
const statusOf = (page: Page) =>
  page
    .locator("header")
    .first()
    .getByText(/^(Queued|Running|Succeeded|Failed)$/);

/** Counts mouse clicks over all pages of the tab. */
async function watchClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() =>
    document.addEventListener(
      "click",
      () => sessionStorage.setItem("clicks", String(Number(sessionStorage.getItem("clicks")) + 1)),
      true,
    ),
  );
  return () => page.evaluate(() => Number(sessionStorage.getItem("clicks")));
}

test("a failed run is found, explained, and replayed from its failed step within three clicks from the list", async ({
  signedInPage: page,
  api,
  product,
  service,
}) => {
  service.answerWith(({ path }) => (path === "/refunds" ? { status: 503, json: {} } : { json: {} }));
  const { slug } = await publishRefund(page, product, service.url);
  const failed = await call(api, slug, "failed");
  service.answerWith(() => ({ json: { id: "R-1" } }));

  const countClicks = await watchClicks(page);
  await page.goto(`/runs?action=${slug}`);
  await page.getByRole("link", { name: new RegExp(`^Failed: run .* of ${slug}$`) }).click();
  await expect(page.getByRole("option", { name: /Create refund.*Failed/ })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("complementary", { name: "Details" })).toContainText("The service failed");

  await page.getByRole("button", { name: "Replay…", exact: true }).click();
  await expect(dialogOf(page).getByRole("radio", { name: /^Resume where it stopped/ })).toBeChecked();
  const plan = dialogOf(page).getByRole("region", { name: "What this replay does" });
  await expect(plan).toContainText(/Reuses 2 steps\s*Action Input, Find the order/);
  await expect(plan).toContainText(/Runs 2 steps\s*Create refund, Answer/);
  await dialogOf(page).getByRole("button", { name: "Replay" }).click();

  await expect(page).not.toHaveURL(new RegExp(failed));
  expect(await countClicks()).toBe(3);
  await expect(statusOf(page)).toHaveText("Succeeded");
  await expect(page.getByRole("option", { name: /Find the order/ })).toContainText("reused");
  await expect(page.getByRole("region", { name: "output" })).toContainText("R-1");
  expect(service.requests.map(({ path }) => path)).toEqual(["/orders", "/refunds", "/refunds"]);

  const replays = page.getByRole("navigation", { name: "Replays" });
  const replayUrl = page.url();
  await replays.getByRole("link").click();
  await expect(page).toHaveURL(`${product.url}/runs/${failed}`);
  await expect(statusOf(page)).toHaveText("Failed");
  await replays.getByRole("link", { name: /^Succeeded/ }).click();
  await expect(page).toHaveURL(replayUrl);
});

test("a failed run continues on the repaired version with a corrected input, and repeats no finished call", async ({
  signedInPage: page,
  api,
  product,
  service,
}) => {
  service.answerWith(({ path }) => ({ status: path === "/refunds" ? 400 : 200, json: {} }));
  const { slug, mend } = await publishRefund(page, product, service.url);
  const failed = await call(api, slug, "failed");
  service.answerWith(() => ({ json: { id: "R-2" } }));
  await mend();

  await page.goto(`/runs/${failed}?replay=resume`);
  const dialog = dialogOf(page);
  await dialog.getByRole("combobox", { name: "Version" }).selectOption({ label: "Version 2, published now" });
  await expect(dialog).toContainText(/Reuses 2 steps\s*Action Input, Find the order/);
  await expect(dialog).toContainText(/Runs 2 steps\s*Create refund, Answer/);
  const corrections = dialog.getByRole("region", { name: "Corrections to the input" });
  await expect(corrections).toContainText("region is required");
  await page.setViewportSize({ width: 375, height: 740 });
  await expectNoFaultInEitherTheme(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
  await corrections.getByRole("textbox", { name: "region" }).fill("EU");
  await dialog.getByRole("button", { name: "Replay" }).click();

  await expect(statusOf(page)).toHaveText("Succeeded");
  expect(service.requests.map(({ path }) => path)).toEqual(["/orders", "/refunds", "/v2/refunds"]);
  expect(JSON.parse(service.requests[2]?.body ?? "")).toEqual({ ...INPUT, region: "EU" });
});

test("a replay from the start can edit the input: redacted values keep their real value, and invalid ones are refused", async ({
  signedInPage: page,
  api,
  product,
  service,
}) => {
  const { slug } = await publishRefund(page, product, service.url);
  await page.goto(`/runs/${await call(api, slug, "succeeded")}`);
  await page.getByRole("button", { name: "Replay…", exact: true }).click();
  const dialog = dialogOf(page);
  await expect(dialog.getByRole("radio", { name: /^From the start/ })).toBeChecked();
  await expect(dialog.getByRole("radio", { name: /^Resume where it stopped/ })).toHaveCount(0);
  await expect(dialog).toContainText("These successful calls will be made again: Find the order, Create refund.");
  await dialog.getByRole("checkbox", { name: "Edit input" }).click();
  const input = dialog.getByRole("textbox", { name: "Input" });
  await expect(input).toHaveValue(/\[REDACTED_EMAIL\]/);
  const submit = dialog.getByRole("button", { name: "Replay" });

  await input.fill("[1]");
  await submit.click();
  await expect(input).toHaveAccessibleDescription(/Enter a JSON object/);
  await input.fill('{"email": "[REDACTED_EMAIL]", "amount": "many"}');
  await submit.click();
  await expect(dialog.getByRole("alert")).toContainText("amount");
  await input.fill('{"email": "[REDACTED_EMAIL]", "amount": 7}');
  await submit.click();
  await expect(statusOf(page)).toHaveText("Succeeded");
  await expect(dialog).toBeHidden();
  await expect.poll(() => service.requests.length).toBe(4);
  expect(JSON.parse(service.requests[3]?.body ?? "")).toEqual({ email: "ada@example.com", amount: 7 });
});

test("by keyboard alone: R, an arrow to the mode, a step, Enter", async ({
  signedInPage: page,
  api,
  product,
  service,
}) => {
  const { slug } = await publishRefund(page, product, service.url);
  const original = await call(api, slug, "succeeded");
  await page.goto(`/runs/${original}`);
  await expect(page.getByRole("option", { name: /Create refund/ })).toBeVisible();
  await page.keyboard.press("r");
  const fromStart = dialogOf(page).getByRole("radio", { name: /^From the start/ });
  await expect(fromStart).toBeFocused();
  await waitUntilIdle(page);
  await page.keyboard.press("Escape");
  await expect(dialogOf(page)).toBeHidden();

  await page.keyboard.press("r");
  await expect(fromStart).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  const step = dialogOf(page).getByRole("combobox", { name: "Start from" });
  await expect(step).toBeFocused();
  await expect(step).toHaveValue("find_order");
  await page.keyboard.press("ArrowDown");
  await expect(dialogOf(page)).toContainText(/Runs 2 steps\s*Create refund, Answer/);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(new RegExp(original));
  await expect(statusOf(page)).toHaveText("Succeeded");
  expect(service.requests.map(({ path }) => path)).toEqual(["/orders", "/refunds", "/refunds"]);

  // From the list, four keys lead to a replay of the newest run.
  await page.goto(`/runs?action=${slug}`);
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(statusOf(page)).toHaveText("Succeeded");
  const newest = new URL(page.url()).pathname;
  await page.keyboard.press("r");
  await expect(fromStart).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(new RegExp(newest));
  await expect(statusOf(page)).toHaveText("Succeeded");
});

test("a replay from a step starts at the step that is selected", async ({
  signedInPage: page,
  api,
  product,
  service,
}) => {
  const { slug } = await publishRefund(page, product, service.url);
  await page.goto(`/runs/${await call(api, slug, "succeeded")}?step=refund`);
  await page.getByRole("button", { name: "Replay from here…" }).click();
  await expect(dialogOf(page).getByRole("radio", { name: /^From a step/ })).toBeChecked();
  await expect(dialogOf(page).getByRole("combobox", { name: "Start from" })).toHaveValue("refund");
});

test("a running run says why it cannot be replayed, and can be replayed once it has ended", async ({
  signedInPage: page,
  api,
  product,
  service,
}) => {
  const { slug } = await publishRefund(page, product, service.url);
  const held = Promise.withResolvers<{ json: unknown }>();
  service.answerWith(() => held.promise);
  const { run_id } = await (await api.post(`/api/v1/runtime/actions/${slug}/run`, { data: { input: INPUT } })).json();
  await page.goto(`/runs/${run_id}?replay=resume`);
  const replay = page.getByRole("button", { name: "Replay…", exact: true });
  await expect(replay).toHaveAttribute("aria-disabled", "true");
  await expect(dialogOf(page)).toBeHidden();
  await replay.hover();
  await expect(page.getByRole("tooltip")).toHaveText("Only a run that has ended can be replayed.");
  held.resolve({ json: {} });
  await expect(dialogOf(page)).toBeVisible();
});

test("the replay dialog fits a phone and has no accessibility fault in either theme", async ({
  signedInPage: page,
  api,
  product,
  service,
}) => {
  await page.setViewportSize({ width: 375, height: 740 });
  const { slug } = await publishRefund(page, product, service.url);
  await page.goto(`/runs/${await call(api, slug, "succeeded")}`);
  await page.getByRole("button", { name: "Replay…", exact: true }).click();
  await dialogOf(page).getByRole("checkbox", { name: "Edit input" }).click();
  await expect(dialogOf(page).getByRole("textbox", { name: "Input" })).toBeFocused();
  await expectNoFaultInEitherTheme(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
});
