import type { APIRequestContext } from "playwright/test";
import { findFaults } from "#e2e/accessibility";
import { expect, type Product, test } from "#e2e/fixtures";

async function finishRun(api: APIRequestContext, product: Product): Promise<string> {
  const answer = await api.post(`/api/v1/runtime/actions/${product.slug}/run`, { data: { input: product.input } });
  const { run_id: runId } = await answer.json();
  await expect
    .poll(async () => (await (await api.get(`/api/v1/runtime/runs/${runId}`)).json()).status)
    .toBe("succeeded");
  return runId;
}

test("the pill for new runs floats over the list and moves nothing", async ({ signedInPage: page, api, product }) => {
  await finishRun(api, product);
  const stream = page.waitForResponse((response) => new URL(response.url()).pathname === "/api/stream");
  await page.goto("/runs");
  const firstRow = page.getByRole("row").nth(1);
  await expect(firstRow.getByRole("link")).toBeVisible();
  await stream;
  const before = await firstRow.boundingBox();
  await finishRun(api, product);
  const pill = page.getByRole("button", { name: /new run/ });
  await expect(pill).toBeVisible();
  expect(await firstRow.boundingBox()).toEqual(before);
});

test("columns, order, and times can be chosen by mouse and keyboard, and are kept after a reload", async ({
  signedInPage: page,
  api,
  product,
}) => {
  await finishRun(api, product);
  await page.goto("/runs");
  const display = page.getByRole("button", { name: "Display" });
  await display.click();
  await page.getByRole("menuitemcheckbox", { name: "Caller" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Input" }).click();
  await page.getByRole("menuitemradio", { name: "UTC" }).click();
  await page.getByRole("menuitemradio", { name: "Compact" }).click();
  await page.keyboard.press("Escape");
  await expect(display).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitemradio", { name: "UTC" })).toBeChecked();
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(page.getByRole("columnheader", { name: "Caller" })).toBeVisible();
  await expect(page.getByRole("row").nth(1)).toContainText("UTC");
  await expect(page.getByRole("row").nth(1)).toContainText(product.raw_key.slice(0, 8));
  expect(await findFaults(page)).toEqual([]);
});

test("a workflow's failures are grouped, open as a filtered list, and can be kept as a view", async ({
  signedInPage: page,
  product,
}) => {
  const ask = async (operation: string, data: object) =>
    (await page.request.post(`/api/web/${operation}`, { headers: { origin: product.url }, data })).json();
  const position = { x: 0, y: 0 };
  const { workflow_id: workflowId } = await ask("create_workflow", {
    name: "Fails on purpose",
    definition: {
      nodes: [
        { id: "input", type: "action_input", position, data: { properties: [{ name: "order", type: "integer" }] } },
        {
          id: "check",
          type: "code",
          position,
          data: {
            name: "Check the order",
            source: 'export default async (input) => { throw new Error("order " + input.order + " is closed"); };',
            input: { order: "{{action_input.order}}" },
          },
        },
        {
          id: "output",
          type: "return_output",
          position,
          data: { properties: [{ name: "ok", type: "string", value: "yes" }] },
        },
      ],
      edges: [
        { id: "a", source: "input", target: "check" },
        { id: "b", source: "check", target: "output" },
      ],
    },
  });
  const slug = `fails-${Date.now().toString(36)}`;
  await ask("deploy_workflow", { workflow_id: workflowId, slug });
  for (const order of [1, 2]) {
    const { run_id: runId } = await ask("run_action", { slug, input: { order } });
    await expect.poll(async () => (await ask("get_run_status", { run_id: runId })).status).toBe("failed");
  }

  await page.goto("/runs");
  await page.getByRole("combobox", { name: "Workflow" }).selectOption({ label: "Fails on purpose" });
  await page.getByRole("button", { name: "Group errors" }).click();
  const group = page.getByRole("button", { name: /^2 times: .*order 2 is closed/ });
  await expect(group).toBeVisible();
  await expect(page.getByRole("table", { name: "Errors" }).getByRole("row")).toHaveCount(2);
  expect(await findFaults(page)).toEqual([]);
  await group.click();
  await expect(page.getByRole("table", { name: "Runs" }).getByRole("row")).toHaveCount(3);
  await expect(page.getByRole("button", { name: /^Remove the filter Same error .*order 2 is closed/ })).toBeVisible();

  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save this view…" }).click();
  const name = `Closed orders ${slug}`;
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: `View: ${name}` })).toBeVisible();
  await page.goto("/runs");
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name }).click();
  await expect(page).toHaveURL(/group=/);
  await expect(page.getByRole("table", { name: "Runs" }).getByRole("row")).toHaveCount(3);
});
