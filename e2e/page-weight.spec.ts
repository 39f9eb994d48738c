import { expect, test } from "#e2e/fixtures";
import { budgetedPages, CANVAS_KB, scriptsKb, watchScripts } from "#e2e/page-budgets";

test("the HTML of every list, every settings page and the canvas asks for no more JavaScript than its budget", async ({
  signedInPage: page,
  api,
  product,
}) => {
  const { workflow_id } = await (await api.get(`/api/v1/runtime/actions/${product.slug}`)).json();
  const measured = [];
  for (const { path, budgetKb } of budgetedPages(workflow_id)) {
    const answer = await page.request.get(path);
    expect(answer.url(), path).toContain(path);
    measured.push({ path, budgetKb, kb: await scriptsKb(await answer.text()) });
  }
  expect(measured.filter(({ kb, budgetKb }) => kb > budgetKb)).toEqual([]);
});

test("the canvas requests no more JavaScript than its budget until the pointer rests on a step, and no linked page", async ({
  signedInPage: page,
  api,
  product,
}) => {
  const { workflow_id } = await (await api.get(`/api/v1/runtime/actions/${product.slug}`)).json();
  const requestedKb = watchScripts(page);
  const linked: string[] = [];
  page.on("request", (request) => request.url().includes("_rsc=") && linked.push(request.url()));
  await page.clock.install();
  await page.goto(`/workflows/${workflow_id}`);
  const step = page.locator(".react-flow__node").first();
  await expect(step).toBeVisible();
  await expect(page.getByText("No problems")).toBeVisible();
  await page.clock.runFor(10_000);
  expect(await requestedKb()).toBeLessThanOrEqual(CANVAS_KB);
  expect(linked).toEqual([]);
  await step.hover();
  await page.clock.runFor(1_000);
  await expect.poll(requestedKb).toBeGreaterThan(CANVAS_KB);
  await page.getByRole("link", { name: "Actions", exact: true }).hover();
  await expect.poll(() => linked.length).toBeGreaterThan(0);
});
