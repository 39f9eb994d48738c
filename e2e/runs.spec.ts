import { setTimeout } from "node:timers/promises";
import type { APIRequestContext, Page } from "playwright/test";
import { findFaults } from "#e2e/accessibility";
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

const shortened = (runId: string) => `…${runId.slice(-8)}`;

test("a new run is announced by a pill while the list is open, and moves no row", async ({
  signedInPage: page,
  api,
  product,
}) => {
  await finishRun(api, product);
  const stream = page.waitForResponse((response) => new URL(response.url()).pathname === "/api/stream");
  await page.goto("/runs");
  const firstRow = page.getByRole("row").nth(1);
  await expect(firstRow.getByRole("link")).toBeVisible();
  const before = (await firstRow.getByRole("link").getAttribute("href")) ?? "";
  // The list receives events after its stream is open.
  await stream;
  const runId = await finishRun(api, product);
  const pill = page.getByRole("button", { name: /new run/ });
  await expect(pill).toBeVisible();
  await expect(firstRow.getByRole("link")).toHaveAttribute("href", before);
  await pill.click();
  // Specs that run at the same time may have started a newer run.
  await expect(page.getByRole("row").filter({ hasText: shortened(runId) })).toBeVisible();
  await expect(pill).toBeHidden();
});

test("filters are in the address, and an empty result offers to clear them", async ({
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
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(/\/runs$/);
  await expect(page.getByRole("link", { name: /^Succeeded/ }).first()).toBeVisible();
});

test("a run is found by its correlation id, and opened by pasting its run id", async ({
  signedInPage: page,
  api,
  product,
}) => {
  const correlationId = `order:${Date.now()}`;
  const runId = await finishRun(api, product, correlationId);
  await page.goto("/runs");
  const search = page.getByRole("searchbox", { name: "Run ID or correlation ID" });
  await search.fill(correlationId);
  await expect(page.getByRole("row")).toHaveCount(2);
  await search.fill(runId);
  await expect(page).toHaveURL(new RegExp(`/runs/${runId}$`));
});

test("twenty runs fill a page, and paging goes forward and back", async ({ signedInPage: page, api, product }) => {
  for (let left = 22; left > 0; left -= 1) await startRun(api, product);
  await page.goto("/runs");
  await expect(page.getByRole("row")).toHaveCount(21);
  const link = page.getByRole("row").nth(1).getByRole("link");
  const first = (await link.getAttribute("href")) ?? "";
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await expect(page).toHaveURL(/cursor=/);
  await expect(link).not.toHaveAttribute("href", first);
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(page).not.toHaveURL(/cursor=/);
  await expect(page.getByRole("row")).toHaveCount(21);
});

test("the timeline works by keyboard: arrows select a step, and the address keeps the selection", async ({
  signedInPage: page,
  api,
  product,
  service,
}) => {
  // A run of a few milliseconds has nothing to zoom into.
  service.answerWith(() => setTimeout(100, { json: {} }));
  const runId = await callOrders(api, await publishOrders(page, product, service.url), "succeeded");
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
  await expect(details.getByRole("region", { name: "input" })).toContainText("amount");
  await page.reload();
  await expect(rows.nth(2)).toHaveAttribute("aria-selected", "true");
  await expect(details.getByRole("tab", { name: "Input" })).toHaveAttribute("aria-selected", "true");
  await rows.nth(2).focus();
  await page.keyboard.press("+");
  await expect(page).toHaveURL(/time=\d+-\d+/);
  await page.getByRole("button", { name: "Later" }).click();
  await page.getByRole("button", { name: "Fit run" }).click();
  await expect(page).not.toHaveURL(/time=/);
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

/**
 * Publishes start -> check -> (if the amount is over 100) order -> end. The service answers the step order. Otherwise
 * check leads to the end.
 */
async function publishOrders(page: Page, product: Product, serviceUrl: string): Promise<string> {
  const post = async (operation: string, data: unknown) => {
    const answer = await page.request.post(`/api/web/${operation}`, { headers: { origin: product.url }, data });
    expect(answer.status()).toBe(200);
    return answer.json();
  };
  const at = (y: number) => ({ x: 0, y });
  const amount = { name: "amount", type: "number", required: true };
  const rules = [{ left: "{{action_input.amount}}", operator: "greater_than", right: "100" }];
  const params = { method: "GET", url: `${serviceUrl}/orders` };
  const call = { name: "Find the order", connector: "http", operation: "request", params, maxRetries: 1 };
  const result = { name: "order", type: "object", value: "{{order.body}}" };
  const definition = {
    nodes: [
      { id: "action_input", type: "action_input", position: at(0), data: { name: "Input", properties: [amount] } },
      { id: "check", type: "condition", position: at(180), data: { name: "Is it large?", match: "all", rules } },
      { id: "order", type: "connector", position: { x: -200, y: 360 }, data: call },
      { id: "end", type: "return_output", position: at(560), data: { name: "Answer", properties: [result] } },
    ],
    edges: [
      { id: "e1", source: "action_input", target: "check" },
      { id: "e2", source: "check", target: "order", sourceHandle: "true" },
      { id: "e3", source: "check", target: "end", sourceHandle: "false" },
      { id: "e4", source: "order", target: "end" },
    ],
  };
  const { workflow_id } = await post("create_workflow", { name: "Orders", definition });
  const slug = `orders-${workflow_id.slice(-12)}`;
  await post("deploy_workflow", { workflow_id, slug });
  return slug;
}

async function callOrders(api: APIRequestContext, slug: string, status: string): Promise<string> {
  const data = { input: { amount: 129 } };
  const { run_id } = await (await api.post(`/api/v1/runtime/actions/${slug}/run`, { data })).json();
  await expect.poll(async () => (await (await api.get(`/api/v1/runtime/runs/${run_id}`)).json()).status).toBe(status);
  return run_id;
}

test("failed runs are found by their error, selected by keyboard and replayed together", async ({
  signedInPage: page,
  api,
  product,
  service,
}) => {
  service.answerWith(() => ({ status: 422, json: { reason: "frobnicated" } }));
  const slug = await publishOrders(page, product, service.url);
  const failed = [await callOrders(api, slug, "failed"), await callOrders(api, slug, "failed")];
  service.answerWith(() => ({ json: { id: "O-1" } }));

  await page.goto(`/runs?action=${slug}&version=1&error=422`);
  await expect(page.getByRole("list", { name: "Filters" })).toContainText(/Action.*Version v1.*Error 422/);
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("link", { name: /^Failed/ }).first()).toBeFocused();
  await page.keyboard.press("x");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("x");
  const chosen = page.getByRole("region", { name: "Selected runs" });
  await expect(chosen.getByRole("status")).toHaveText("2 selected");
  await expect(chosen.getByRole("button", { name: /^Cancel/ })).toHaveCount(0);
  await chosen.getByRole("button", { name: "Replay 2…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Replay 2 runs" }).click();
  const outcome = page.getByRole("dialog", { name: "2 replayed" });
  await expect(outcome.getByRole("listitem")).toHaveCount(2);
  expect(await findFaults(page)).toEqual([]);
  await outcome.getByRole("button", { name: "Done" }).click();
  await expect(chosen).toBeHidden();

  await page.getByRole("button", { name: "Remove the filter Error 422" }).click();
  await page.getByRole("button", { name: "Source" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Replay" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: /^Succeeded/ })).toHaveCount(2);
  await page
    .getByRole("link", { name: /^Succeeded/ })
    .first()
    .click();
  const original = page.getByRole("navigation", { name: "Replays" }).getByRole("link").first();
  expect(failed.map(shortened)).toContain(await original.textContent());
});

test("a run is shown as the graph that ran, with the taken branches solid, and attempt by attempt", async ({
  signedInPage: page,
  api,
  product,
  service,
}) => {
  let calls = 0;
  const items = Array.from({ length: 300 }, (_, id) => ({ id, sku: `sku-${id}`, mail: "ada@example.com" }));
  service.answerWith(() => {
    calls += 1;
    return calls === 1 ? { status: 503, json: {} } : { json: { items } };
  });
  const slug = await publishOrders(page, product, service.url);
  await page.goto(`/runs/${await callOrders(api, slug, "succeeded")}`);
  const details = page.getByRole("complementary", { name: "Details" });
  await page.getByRole("option", { name: /Find the order/ }).click();
  await details.getByRole("tab", { name: "Attempts (2)" }).click();
  const attempts = details.getByRole("list", { name: "Attempts of Find the order" }).getByRole("listitem");
  await expect(attempts.first()).toContainText(/Attempt 1\s*failed.*UPSTREAM_ERROR.*503.*Then waited/s);
  await expect(attempts.last()).toContainText(/Attempt 2\s*succeeded/);
  await details.getByRole("tab", { name: "Events" }).click();
  await expect(details.getByRole("list", { name: "Journal" }).getByRole("listitem")).toHaveCount(3);

  await details.getByRole("tab", { name: "Output" }).click();
  await details.getByRole("searchbox", { name: "Search the output" }).fill("sku-250");
  await expect(details.getByRole("region", { name: "output" })).toContainText('sku: "sku-250"');
  await expect(details.getByRole("search")).toContainText("1 of 1");
  expect(await details.getByRole("listitem").count()).toBeLessThan(150);

  await page.getByRole("button", { name: "Graph" }).click();
  const graph = page.getByRole("region", { name: "Version 1, which ran" });
  const order = graph.getByLabel(/^Step 3, Find the order, .*: Succeeded, .*attempt 2\.$/);
  await expect(order).toHaveClass(/selected/);
  await expect(graph.locator(".react-flow__edge-path.is-taken")).toHaveCount(3);
  await expect(graph.locator(".react-flow__edge-path.draft-line")).toHaveCount(1);
  await graph.getByLabel(/^Step 2, Is it large\?/).click();
  await expect(page).toHaveURL(/step=check/);
  await expect(details.getByRole("heading", { name: "Is it large?" })).toBeVisible();
  expect(await findFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Timeline" }).click();
  await expect(page.getByRole("option", { name: /Is it large/ })).toHaveAttribute("aria-selected", "true");
});
