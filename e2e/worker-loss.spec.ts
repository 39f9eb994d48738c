import { expect, test } from "#e2e/fixtures";

test("a killed worker is replaced, and calls made in the meantime are executed", async ({
  api,
  product,
  workerPids,
}) => {
  const before = workerPids();
  for (const pid of before) process.kill(pid, "SIGKILL");
  const called = await api.post(`/api/v1/runtime/actions/${product.slug}/run`, { data: { input: product.input } });
  expect(called.status()).toBe(202);
  const { run_id } = await called.json();
  await expect
    .poll(async () => (await (await api.get(`/api/v1/runtime/runs/${run_id}`)).json()).status)
    .toBe("succeeded");
  await expect.poll(workerPids).not.toEqual(before);
});
