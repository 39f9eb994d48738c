import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright/test";
import { expect, test } from "#e2e/fixtures";

const execute = promisify(execFile);

async function shownCode(page: Page, block: string, tab?: string): Promise<string> {
  const figure = page.getByRole("figure", { name: block });
  if (tab !== undefined) await figure.getByRole("button", { name: tab, exact: true }).click();
  return (await figure.locator("pre").textContent()) ?? "";
}

test("anyone can read the reference without signing in, and every link in it works", async ({ page, product }) => {
  await page.goto("/docs/api");
  await expect(page.getByRole("heading", { level: 1, name: "API reference" })).toBeVisible();
  const dead = await page.evaluate(() =>
    [...document.querySelectorAll('a[href^="#"]')]
      .map((link) => link.getAttribute("href") ?? "")
      .filter((href) => document.getElementById(href.slice(1)) === null),
  );
  expect(dead).toEqual([]);
  const [description] = await Promise.all([
    page.request.get(`${product.url}/api/v1/runtime/openapi.json`),
    expect(page.getByRole("link", { name: "OpenAPI 3.1" })).toHaveAttribute(
      "href",
      `${product.url}/api/v1/runtime/openapi.json`,
    ),
  ]);
  const { paths } = await description.json();
  for (const path of Object.keys(paths)) {
    await expect(page.getByText(`/api/v1/runtime${path}`, { exact: true }).first()).toBeVisible();
  }
});

test("the programs in the reference work exactly as shown", async ({ page, product }) => {
  const env = { ...process.env, SVC_API_KEY: product.raw_key };
  const folder = await mkdtemp(join(tmpdir(), "signalbox-reference-"));
  const options = { env, cwd: folder };
  await page.goto("/docs/api");
  const list = await execute("sh", ["-c", await shownCode(page, "Find, run, and wait", "List actions")], options);
  expect(JSON.parse(list.stdout).data).toContainEqual(expect.objectContaining({ slug: product.slug }));
  await execute("sh", ["-c", await shownCode(page, "Get the client")], options);
  for (const [tab, file, program] of [
    ["TypeScript client", "client.mts", process.execPath],
    ["TypeScript", "call.mts", process.execPath],
    ["Python", "call.py", "python3"],
  ] as const) {
    if (program === "python3" && !hasPython()) continue;
    await writeFile(join(folder, file), await shownCode(page, "From code", tab));
    const { stdout } = await execute(program, [file], options);
    expect(stdout, tab).toContain("greeting");
  }
  await rm(folder, { recursive: true });
});

/** Checks for python3. The unit tests of the snippets report a missing python3 as skipped. */
function hasPython(): boolean {
  try {
    return execFileSync("python3", ["--version"]).toString().startsWith("Python 3");
  } catch {
    return false;
  }
}
