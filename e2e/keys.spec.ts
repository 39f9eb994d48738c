import { expect, test, waitUntilIdle } from "#e2e/fixtures";

test("a key can be created by keyboard alone, works, is shown only once, and is not stored in the browser", async ({
  signedInPage: page,
  playwright,
  product,
}) => {
  await page.goto("/keys");
  await expect(page.getByText(/active keys? on the/)).toBeVisible();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New API key" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("Probe");
  await page.keyboard.press("Tab");
  await expect(dialog.getByLabel("Actions", { exact: true })).toBeFocused();
  await expect(dialog.getByLabel("Actions", { exact: true })).toHaveValue("some");
  await expect(dialog.getByLabel("Expires")).toHaveValue("90");
  await page.keyboard.press("Tab");
  const action = dialog.getByRole("group", { name: "Actions that the key can call" }).getByRole("checkbox").first();
  await expect(action).toBeFocused();
  await page.keyboard.press("Space");
  await expect(action).toBeChecked();
  await expect(dialog.getByRole("button", { name: /^Agent/, pressed: true })).toBeVisible();
  await expect(dialog.getByRole("checkbox", { name: "workflows:write" })).not.toBeChecked();
  await expect(dialog.getByRole("checkbox", { name: "workflows:run" })).toHaveCount(0);
  await dialog.getByLabel("Name").focus();
  await page.keyboard.press("Enter");

  const shown = page.getByTestId("raw-key");
  await expect(shown).toHaveText(/^svc_[A-Za-z0-9_-]{32}$/);
  const rawKey = (await shown.textContent()) ?? "";
  await expect(page.getByRole("button", { name: "Copy key" })).toBeFocused();
  await waitUntilIdle(page);
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "Close without saving the key?" });
  // The question handles keys soon after it gets the focus. Until then, the dialog below it handles them and asks
  // again.
  await expect(question.getByRole("button", { name: "Go back to the key" })).toBeFocused();
  await expect(async () => {
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden({ timeout: 5_000 });
  }).toPass();
  await expect(shown).toBeVisible();
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.cookie]),
  );
  expect(kept).not.toContain(rawKey);
  await page.getByRole("button", { name: "I saved it" }).click();
  await expect(page.getByRole("row").filter({ hasText: rawKey.slice(0, 8) })).toContainText("Probe");
  expect(await page.content()).not.toContain(rawKey);

  const caller = await playwright.request.newContext({
    baseURL: product.url,
    extraHTTPHeaders: { authorization: `Bearer ${rawKey}` },
  });
  expect((await caller.get("/api/v1/runtime/actions")).status()).toBe(200);

  await page.getByRole("button", { name: "More for Probe", exact: true }).click();
  await page.getByRole("menuitem", { name: "Revoke…" }).click();
  const revoking = page.getByRole("alertdialog", { name: "Revoke Probe?" });
  await expect(revoking.getByRole("button", { name: "Revoke key" })).toBeDisabled();
  await revoking.getByLabel("Type Probe to confirm").fill("Probe");
  await page.keyboard.press("Enter");
  await expect(page.getByText(`Key revoked. Calls with ${rawKey.slice(0, 8)} now get 401.`)).toBeVisible();
  const refused = await caller.get("/api/v1/runtime/actions");
  expect(refused.status()).toBe(401);
  expect(await refused.json()).toEqual({ error: "API key revoked", code: "UNAUTHORIZED", reason: "api_key_revoked" });
  await caller.dispose();
});

test("a rotation without downtime keeps the old key until it is revoked, and an immediate rotation revokes it at once", async ({
  signedInPage: page,
  playwright,
  product,
}) => {
  const name = `Rotated ${Date.now()}`;
  await page.goto("/keys?new=true");
  const dialog = page.getByRole("dialog", { name: "New API key" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: /^Builder/ }).click();
  await dialog.getByRole("button", { name: "Create key" }).click();
  const oldKey = (await page.getByTestId("raw-key").textContent()) ?? "";
  await page.getByRole("button", { name: "I saved it" }).click();

  const statusOf = async (rawKey: string) => {
    const caller = await playwright.request.newContext({ extraHTTPHeaders: { authorization: `Bearer ${rawKey}` } });
    const answer = await caller.get(`${product.url}/api/v1/runtime/actions`);
    await caller.dispose();
    return answer.status();
  };
  const rotate = async (way: string, button: string) => {
    await page
      .getByRole("button", { name: `More for ${name}` })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Rotate…" }).click();
    await page.getByRole("radio", { name: way }).check();
    await page.getByRole("button", { name: button }).click();
    await expect(page.getByRole("dialog", { name: `${name} has a new key` })).toBeVisible();
    const rawKey = (await page.getByTestId("raw-key").textContent()) ?? "";
    await page.getByRole("button", { name: "I saved it" }).click();
    return rawKey;
  };

  const newKey = await rotate("Without downtime", "Create the replacement");
  const card = page.getByRole("region", { name: `Rotation of ${name}` });
  await expect(card).toContainText("Waiting for its first call.");
  expect([await statusOf(oldKey), await statusOf(newKey)]).toEqual([200, 200]);
  await expect(card).toContainText("It's still in use.");
  await card.getByRole("button", { name: `Revoke ${oldKey.slice(0, 8)}…` }).click();
  const revoking = page.getByRole("alertdialog", { name: `Revoke ${name}?` });
  await expect(revoking).toContainText("in the last ten minutes");
  await revoking.getByLabel(`Type ${name} to confirm`).fill(name);
  await page.keyboard.press("Enter");
  // The open dialog hides the card from assistive technology, so the card's absence means nothing until the dialog
  // closes.
  await expect(revoking).toBeHidden();
  await expect(card).toBeHidden();
  expect([await statusOf(oldKey), await statusOf(newKey)]).toEqual([401, 200]);

  const last = await rotate("Immediately", "Rotate now");
  expect([await statusOf(newKey), await statusOf(last)]).toEqual([401, 200]);
});

test("a key needs a name and a scope", async ({ signedInPage: page }) => {
  await page.goto("/keys?new=true");
  const dialog = page.getByRole("dialog", { name: "New API key" });
  await expect(dialog.getByRole("checkbox", { checked: true })).toHaveCount(3);
  await dialog.getByRole("button", { name: /^Builder/ }).click();
  await expect(dialog.getByRole("checkbox", { checked: true })).toHaveCount(6);
  while ((await dialog.getByRole("checkbox", { checked: true }).count()) > 0) {
    await dialog.getByRole("checkbox", { checked: true }).first().click();
  }
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByLabel("Name")).toHaveAccessibleDescription(
    "Enter a name, such as the integration that will use the key.",
  );
  await expect(dialog.getByText("Choose at least one scope.")).toBeVisible();
});
