import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "#e2e/fixtures";

const execute = promisify(execFile);

test("the first steps are checked off up to the first call with the shown command, and the usage page links to the counted run", async ({
  page,
  startEmptyProduct,
}) => {
  const { url } = await startEmptyProduct();
  const ask = async (operation: string, data: Record<string, unknown>) => {
    const answer = await page.request.post(`${url}/api/web/${operation}`, { data, headers: { origin: url } });
    expect(answer.status(), await answer.text()).toBe(200);
    return answer.json();
  };
  await page.goto(url);
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("Workspace").fill("Analytical Engines");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("a phrase of five words");
  await page.getByRole("button", { name: "Create account" }).click();
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps).toContainText("press Activate");

  await steps.getByRole("button", { name: /^Publish and run.*Hello, world$/ }).click();
  await expect(steps).toContainText("hello-world is ready to call.");
  await expect(steps.getByRole("link", { name: /^Succeeded/ })).toBeVisible();
  const { raw_key } = await ask("create_key", { name: "Support bot" });
  await expect(steps).toContainText("Waiting for your first call.");
  const shown = await steps.getByRole("figure", { name: "Make a first call" }).locator("code").textContent();
  await execute("bash", ["-c", shown ?? ""], { env: { ...process.env, SVC_API_KEY: raw_key } });
  await expect(steps.getByRole("link", { name: "Call received. View the run" })).toBeVisible();
  await steps.getByRole("button", { name: "Dismiss the first steps" }).click();
  await expect(steps).toBeHidden();
  await page.reload();
  await expect(page.getByRole("link", { name: "Hello, world", exact: true })).toBeVisible();
  await expect(steps).toBeHidden();
  await page.getByRole("button", { name: /@/ }).click();
  await page.getByRole("menuitem", { name: "First steps" }).click();
  await expect(steps).toContainText("Call received. View the run");

  await page.goto(`${url}/usage?range=7d`);
  const perDay = page.getByRole("region", { name: "Runs per day" });
  await perDay.getByRole("button", { name: "Runs per day: show as a table" }).click();
  // At midnight, the newest day has only the second one.
  const newestDay = perDay
    .getByRole("row")
    .nth(1)
    .getByRole("link", { name: /^[12]$/ })
    .first();
  const count = Number(await newestDay.textContent());
  await newestDay.click();
  await expect(page).toHaveURL(/\/runs\?.*range=custom/);
  await expect(page.getByRole("table", { name: "Runs", exact: true }).getByRole("row")).toHaveCount(count + 1);
  await page.goBack();
  await page.getByRole("link", { name: "Support bot" }).click();
  await expect(page.getByRole("table", { name: "Runs", exact: true })).toContainText("hello-world");
});
