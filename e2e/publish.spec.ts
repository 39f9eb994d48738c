import { expect, test } from "#e2e/fixtures";

const definition = (field: string) => ({
  nodes: [
    {
      id: "input",
      type: "action_input",
      position: { x: 0, y: 0 },
      data: { name: "Order", properties: [{ name: field, type: "string", required: true }] },
    },
    {
      id: "output",
      type: "return_output",
      position: { x: 0, y: 180 },
      data: { name: "Answer", properties: [{ name: "id", type: "string", value: `{{action_input.${field}}}` }] },
    },
  ],
  edges: [{ id: "e", source: "input", target: "output" }],
});

test("publishing a renamed field names the affected key, requires the slug to be typed, and can be rolled back", async ({
  signedInPage: page,
  api,
  product,
}) => {
  const ask = async (operation: string, data: object) => {
    const answer = await page.request.post(`/api/web/${operation}`, { headers: { origin: product.url }, data });
    return { status: answer.status(), body: await answer.json() };
  };
  const slug = `orders-${Date.now().toString(36)}`;
  const { workflow_id } = (await ask("create_workflow", { name: "Orders", definition: definition("order_id") })).body;
  await ask("deploy_workflow", { workflow_id, slug });
  await api.post(`/api/v1/runtime/actions/${slug}/run`, { data: { input: { order_id: "A-1" } } });
  await ask("update_workflow", { workflow_id, definition: definition("order") });
  expect((await ask("deploy_workflow", { workflow_id })).body).toMatchObject({
    code: "BREAKING_SCHEMA_CHANGE",
    details: [{ field: "order_id", new_field: "order", callers: [{ kind: "key", calls: 1, affected: 1 }] }],
  });

  await page.goto(`/workflows/${workflow_id}`);
  await page.getByRole("button", { name: "Publish Action" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish Action" });
  const breaks = dialog.getByRole("region", { name: "Affected callers" });
  await expect(breaks).toContainText(product.raw_key.slice(0, 8));
  await expect(breaks).toContainText("order is required: in 1 of 1 calls");
  const steps = dialog.getByRole("region", { name: "Step changes" });
  await steps.getByText("fields").first().click();
  await expect(steps.locator("figure").filter({ hasText: "Was" }).first()).toContainText("order_id");
  await expect(steps.locator("figure").filter({ hasText: "Now" }).first()).not.toContainText("order_id");
  const publish = dialog.getByRole("button", { name: "Publish Action" });
  await expect(publish).toBeDisabled();
  await dialog.getByLabel(`Type ${slug} to publish and break callers`).fill(slug);
  await publish.click();

  const done = page.getByRole("dialog", { name: "Version 2 is live" });
  await expect(done.getByText(`/api/v1/runtime/actions/${slug}/run`)).toBeVisible();
  await done.getByRole("button", { name: "Undo: publish version 1 again…" }).click();
  const undo = page.getByRole("dialog", { name: "Publish version 1 again" });
  // The new contract has no calls yet, so a checkbox is enough.
  await undo.getByRole("checkbox", { name: "Publish and break callers" }).click();
  await undo.getByRole("button", { name: "Publish version 1 again" }).click();
  await expect(page.getByText("Version 3 is live. It republishes version 1.")).toBeVisible();
  await page.goto(`/workflows/${workflow_id}/versions`);
  await expect(page.getByText("Reverts version 2")).toBeVisible();

  const second = page.getByRole("listitem").filter({ hasText: /^v2/ });
  await second.getByRole("button", { name: "Load into the draft…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Replace the draft" }).click();
  await expect(page.getByText("The draft is now version 2.")).toBeVisible();
  await expect(page.getByRole("group", { name: /^Step 1, Order,/ }).getByText("order", { exact: true })).toBeVisible();

  await page.goto(`/actions/${slug}`);
  await page.getByRole("button", { name: "Archive…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Archive" }).click();
  await expect(page.getByText(`Action ${slug} archived.`)).toBeVisible();
  const refused = await api.post(`/api/v1/runtime/actions/${slug}/run`, { data: { input: { order_id: "A-2" } } });
  expect(refused.status()).toBe(409);
});

test("a renamed field that keeps its old name as an alias is published without breaking callers", async ({
  signedInPage: page,
  api,
  product,
}) => {
  const ask = async (operation: string, data: object) =>
    (await page.request.post(`/api/web/${operation}`, { headers: { origin: product.url }, data })).json();
  const slug = `renamed-${Date.now().toString(36)}`;
  const { workflow_id } = await ask("create_workflow", { name: "Orders", definition: definition("order_id") });
  await ask("deploy_workflow", { workflow_id, slug });
  await ask("update_workflow", { workflow_id, definition: definition("order") });

  await page.goto(`/workflows/${workflow_id}`);
  await page.getByRole("button", { name: "Publish Action" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish Action" });
  const publish = dialog.getByRole("button", { name: "Publish Action" });
  await expect(publish).toBeDisabled();
  await dialog.getByRole("button", { name: "Keep the old name as an alias" }).click();
  await expect(dialog.getByText('Calls that send "order_id" still work')).toBeVisible();
  await expect(dialog.getByRole("region", { name: "Affected callers" })).toBeHidden();
  await publish.click();
  await expect(page.getByRole("dialog", { name: "Version 2 is live" })).toBeVisible();

  const run = (input: object) => api.post(`/api/v1/runtime/actions/${slug}/run`, { data: { input } });
  expect(await (await run({ order_id: "A-1" })).json()).toMatchObject({ input: { order: "A-1" } });
  expect((await run({ order: "A-2" })).status()).toBe(202);
  const both = await run({ order: "A-3", order_id: "A-3" });
  expect(both.status()).toBe(400);
  expect(await both.json()).toMatchObject({ details: [{ field: "order_id", code: "alias_conflict" }] });
});

test("a template is one click away from its first run", async ({ signedInPage: page }) => {
  await page.goto("/workflows");
  await page.getByRole("link", { name: "Templates" }).click();
  await page.getByRole("button", { name: /^Use and run it once\s*: Qualify a lead/ }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}/);
  await expect(page.getByText("Succeeded").first()).toBeVisible();
  await expect(page.getByText("Call Acme today.").first()).toBeVisible();
});
