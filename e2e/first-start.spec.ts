import { expect, test } from "#e2e/fixtures";

test("a web server without a build answers programs, and a page that waits becomes the one that was asked for", async ({
  page,
  product,
  unbuiltWeb: { url, finishBuild },
}) => {
  await expect(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200)).toPass();
  const headers = { authorization: `Bearer ${product.raw_key}`, "content-type": "application/json" };
  const call = { method: "POST", headers, body: JSON.stringify({ input: product.input }) };
  const called = await fetch(`${url}/api/v1/runtime/actions/${product.slug}/run`, call);
  expect(called.status).toBe(202);
  for (const [path, status] of Object.entries({
    "/healthz": 200,
    "/mcp": 405,
    "/register": 405,
    "/callbacks/x": 405,
  })) {
    expect((await fetch(url + path)).status, path).toBe(status);
  }
  expect((await fetch(`${url}/.well-known/oauth-protected-resource`)).status).toBe(404);
  const early = await fetch(`${url}/api/web/list_runs`, { method: "POST" });
  expect([early.status, early.headers.get("retry-after")]).toEqual([503, "5"]);

  await page.goto(`${url}/sign-in`);
  await expect(page.getByRole("heading")).toHaveText("Signalbox is almost ready");
  await finishBuild();
  await expect(page.getByLabel("Email")).toBeVisible();
});
