import { expect, test } from "#e2e/fixtures";

test("the call that a start prints is accepted, and polling it gives the output", async ({ api, product }) => {
  const called = await api.post(`/api/v1/runtime/actions/${product.slug}/run`, { data: { input: product.input } });
  expect(called.status()).toBe(202);
  const { run_id, status } = await called.json();
  expect(status).toBe("accepted");
  await expect
    .poll(async () => (await (await api.get(`/api/v1/runtime/runs/${run_id}`)).json()).status)
    .toBe("succeeded");
  const run = await (await api.get(`/api/v1/runtime/runs/${run_id}`)).json();
  expect(run.output).toEqual({ greeting: "Welcome back, Ada! This is visit number 3.", known: true });
});

test("the login that a start prints opens the application", async ({ signedInPage }) => {
  await signedInPage.goto("/workflows?q=Hello");
  await expect(signedInPage.getByText("Hello world").first()).toBeVisible();
});

test("the instance says that it lives and that it is ready", async ({ request }) => {
  expect(await (await request.get("/healthz")).json()).toEqual({ status: "ok" });
  expect(await (await request.get("/readyz")).json()).toEqual({
    status: "ready",
    checks: { database: "ok", migrations: "ok", worker: "ok" },
  });
});
