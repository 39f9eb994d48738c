import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright/test";
import { expect, test } from "#e2e/fixtures";

const execute = promisify(execFile);

/** Returns a block's code the way a user would copy it. */
async function shownCode(page: Page, block: string, tab?: string): Promise<string> {
  const figure = page.getByRole("figure", { name: block });
  if (tab !== undefined) await figure.getByRole("button", { name: tab, exact: true }).click();
  return (await figure.locator("pre").textContent()) ?? "";
}

test("the snippets work exactly as shown", async ({ signedInPage: page, product }) => {
  const env = { ...process.env, SVC_API_KEY: product.raw_key };
  await page.goto(`/actions/${product.slug}?tab=call`);
  const call = await shownCode(page, "Start a run", "curl");
  const started = JSON.parse((await execute("sh", ["-c", call], { env })).stdout);
  expect(started).toMatchObject({ action_slug: product.slug, status: "accepted" });

  const poll = await shownCode(page, "Get a run");
  const { stdout } = await execute("sh", ["-c", poll], { env: { ...env, RUN_ID: started.run_id } });
  expect(JSON.parse(stdout)).toMatchObject({ run_id: started.run_id, status: "succeeded" });

  const folder = await mkdtemp(join(tmpdir(), "signalbox-snippet-"));
  const file = join(folder, "call.ts");
  await writeFile(file, await shownCode(page, "Start a run", "TypeScript"));
  const printed = await execute(process.execPath, [file], { env });
  await rm(folder, { recursive: true });
  expect(printed.stdout).toContain("greeting");
});

test("a call with an invalid input shows each error at its field, where it can be corrected", async ({
  signedInPage: page,
  product,
}) => {
  await page.goto(`/actions/${product.slug}?tab=try`);
  const visits = page.locator("[name=visits]");
  await visits.fill("many");
  await page.getByRole("button", { name: "Dry run", exact: true }).click();
  await expect(visits).toHaveAccessibleDescription(/Enter a (whole )?number\./);
  await expect(visits).toBeFocused();
});

test("a dry run is recorded without running anything, and a real run shows its output and links to its steps", async ({
  signedInPage: page,
  product,
}) => {
  await page.goto(`/actions/${product.slug}?tab=try`);
  for (const [name, value] of Object.entries(product.input)) {
    const field = page.locator(`[name=${name}]`);
    if (await field.evaluate((element) => element.tagName === "SELECT"))
      await field.selectOption(JSON.stringify(value));
    else await field.fill(String(value));
  }
  const result = page.getByRole("region", { name: "Result" });
  await page.getByRole("button", { name: "Dry run", exact: true }).click();
  await expect(result).toContainText("The input is valid. A real run would start now.");

  await page.getByRole("switch", { name: "Dry run" }).click();
  await expect(page.getByRole("figure", { name: "The same call with curl" })).not.toContainText("dry_run");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(result).toContainText("Succeeded");
  await expect(result).toContainText("greeting");
  await result.getByRole("link", { name: "View run" }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}/);
  await expect(page.getByRole("option", { name: /Queued/ })).toBeVisible();

  const first = page.url();
  await page.getByRole("button", { name: "Run again" }).click();
  await expect(page).not.toHaveURL(first);
  await expect(page.getByRole("navigation", { name: "Replays" })).toContainText("Replay of");
});

test("pausing an action refuses its calls at once, and resuming accepts them again", async ({
  signedInPage: page,
  api,
  product,
}) => {
  const call = async () =>
    (
      await api.post(`/api/v1/runtime/actions/${product.slug}/run`, { data: { input: product.input, dry_run: true } })
    ).status();
  await page.goto(`/actions/${product.slug}`);
  await page.getByRole("button", { name: "Pause…" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("409 ACTION_UNAVAILABLE");
  await page.getByRole("alertdialog").getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText(`Action ${product.slug} paused.`)).toBeVisible();
  expect(await call()).toBe(409);

  await page.getByRole("button", { name: "Resume…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText(`Action ${product.slug} resumed.`)).toBeVisible();
  expect(await call()).toBe(202);
});
