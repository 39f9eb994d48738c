import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "#e2e/fixtures";

test("the call that a start prints is accepted, and polling the run returns its output", async ({ api, product }) => {
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

test("a start writes the login and the key of the demo to a file that only its owner can read", async ({ product }) => {
  const path = join(product.data_dir, "demo.txt");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const text = await readFile(path, "utf8");
  for (const part of [product.login.email, product.login.password, product.raw_key]) expect(text).toContain(part);
});

test("every page has a content security policy with its own nonce, and the policy of API answers allows nothing", async ({
  request,
}) => {
  const nonceOf = async (path: string) => {
    const answer = await request.get(path);
    const [, nonce] = /script-src 'nonce-([^']+)'/.exec(answer.headers()["content-security-policy"] ?? "") ?? [];
    expect(await answer.text()).toContain(`nonce="${nonce}"`);
    expect(answer.headers()).toMatchObject({ "x-content-type-options": "nosniff", "x-frame-options": "DENY" });
    return nonce;
  };
  expect(await nonceOf("/sign-in")).not.toBe(await nonceOf("/sign-in"));
  await nonceOf("/nowhere");
  const { "content-security-policy": policy } = (await request.get("/api/v1/runtime/openapi.json")).headers();
  expect(policy).toBe("default-src 'none'; frame-ancestors 'none'");
});

test("the instance reports that it is alive and ready", async ({ request }) => {
  expect(await (await request.get("/healthz")).json()).toEqual({ status: "ok" });
  expect(await (await request.get("/readyz")).json()).toEqual({
    status: "ready",
    checks: { database: "ok", migrations: "ok", worker: "ok" },
  });
});
