import type { APIRequestContext } from "playwright/test";
import { expect, type Product, test } from "#e2e/fixtures";

async function startRun(api: APIRequestContext, product: Product, correlationId?: string): Promise<string> {
  const answer = await api.post(`/api/v1/runtime/actions/${product.slug}/run`, {
    data: { input: product.input },
    headers: correlationId === undefined ? {} : { "x-correlation-id": correlationId },
  });
  return (await answer.json()).run_id;
}

async function finishRun(api: APIRequestContext, product: Product, correlationId?: string): Promise<string> {
  const runId = await startRun(api, product, correlationId);
  await expect
    .poll(async () => (await (await api.get(`/api/v1/runtime/runs/${runId}`)).json()).status)
    .toBe("succeeded");
  return runId;
}

const shortened = (runId: string) => `${runId.slice(0, 8)}…${runId.slice(-4)}`;

test("a run that comes while the list is open waits behind a pill and moves no row", async ({
  signedInPage: page,
  api,
  product,
}) => {
  await finishRun(api, product);
  const stream = page.waitForResponse((response) => response.url().endsWith("/api/stream"));
  await page.goto("/runs");
  const firstRow = page.getByRole("row").nth(1);
  await expect(firstRow.getByRole("link")).toBeVisible();
  const before = await firstRow.textContent();
  // The list listens from the moment its stream is open.
  await stream;
  const runId = await finishRun(api, product);
  const pill = page.getByRole("button", { name: /new run/ });
  await expect(pill).toBeVisible();
  expect((await firstRow.textContent())?.slice(0, 13)).toBe(before?.slice(0, 13));
  await pill.click();
  await expect(firstRow).toContainText(shortened(runId));
  await expect(pill).toBeHidden();
});

test("filters stand in the address, and an empty result offers the way out", async ({
  signedInPage: page,
  api,
  product,
}) => {
  await finishRun(api, product);
  await page.goto("/runs");
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Succeeded" }).click();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/status=succeeded/);
  await page.reload();
  await expect(page.getByRole("button", { name: "Status: Succeeded" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Succeeded/ }).first()).toBeVisible();

  await page.goto("/runs?correlation=of-no-run");
  await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect(page).toHaveURL(/\/runs$/);
  await expect(page.getByRole("link", { name: /^Succeeded/ }).first()).toBeVisible();
});

test("a run is found by its correlation id, and opened by pasting its own", async ({
  signedInPage: page,
  api,
  product,
}) => {
  const correlationId = `order:${Date.now()}`;
  const runId = await finishRun(api, product, correlationId);
  await page.goto("/runs");
  const search = page.getByRole("searchbox", { name: "Run id or correlation id" });
  await search.fill(correlationId);
  await expect(page.getByRole("row")).toHaveCount(2);
  await search.fill(runId);
  await expect(page).toHaveURL(new RegExp(`/runs/${runId}$`));
});

test("twenty runs make a page; the rest is a page further and back again", async ({
  signedInPage: page,
  api,
  product,
}) => {
  for (let left = 22; left > 0; left -= 1) await startRun(api, product);
  await page.goto("/runs");
  await expect(page.getByRole("row")).toHaveCount(21);
  const first = (await page.getByRole("row").nth(1).textContent()) ?? "";
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await expect(page).toHaveURL(/cursor=/);
  await expect(page.getByRole("row").nth(1)).not.toContainText(first.slice(0, 13));
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(page).not.toHaveURL(/cursor=/);
  await expect(page.getByRole("row")).toHaveCount(21);
});

test("the timeline is read by keyboard: arrows choose a step, and the address remembers it", async ({
  signedInPage: page,
  api,
  product,
}) => {
  const runId = await finishRun(api, product);
  await page.goto(`/runs/${runId}`);
  const rows = page.getByRole("listbox", { name: "Timeline" }).getByRole("option");
  await rows.first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(rows.nth(2)).toBeFocused();
  await expect(rows.nth(2)).toHaveAttribute("aria-selected", "true");
  await expect(page).toHaveURL(/step=/);
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByRole("tab", { name: "Input" }).click();
  await expect(details.getByRole("region", { name: "input" })).toContainText(Object.keys(product.input)[0] ?? "");
  await page.reload();
  await expect(rows.nth(2)).toHaveAttribute("aria-selected", "true");
  await expect(details.getByRole("tab", { name: "Input" })).toHaveAttribute("aria-selected", "true");
});

test("a run that is opened at once is followed to its end without a reload", async ({
  signedInPage: page,
  api,
  product,
}) => {
  const runId = await startRun(api, product);
  await page.goto(`/runs/${runId}`);
  await expect(page.getByRole("banner").or(page.locator("header")).first()).toContainText("Succeeded");
  await expect(page.getByRole("region", { name: "output" })).toContainText("greeting");
});
