import { expect, test } from "#e2e/fixtures";
import { budgetedPages, scriptsKb } from "#e2e/page-budgets";

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
