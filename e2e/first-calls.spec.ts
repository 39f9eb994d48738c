import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createWorkflow as storeWorkflow } from "#e2e/canvas-drawing";
import { card, saved } from "#e2e/draw-workflow";
import { expect, test } from "#e2e/fixtures";
import { callAction, endedRun, expectClicks, mainLink, NewUser, newSlug, publish } from "#e2e/new-user";

const execute = promisify(execFile);
const shell = async (code: string) => JSON.parse((await execute("sh", ["-c", code])).stdout);

test.use({ viewport: { width: 1440, height: 900 } });

test("a key is created and the shown commands call the action with it within 6 clicks", async ({
  signedInPage: page,
  product,
}, info) => {
  test.slow();
  const user = new NewUser(page);
  await page.goto("/workflows");
  await user.click(mainLink(user, "Actions"));
  await user.click(page.getByRole("link", { name: product.slug }).first());
  await user.click(page.getByRole("tab", { name: "Call it" }));
  const call = await page.getByRole("figure", { name: "Start a run" }).locator("pre").textContent();
  await user.click(page.getByRole("link", { name: "Create a key for this action" }));
  const dialog = page.getByRole("dialog", { name: "New API key" });
  const name = newSlug("probe");
  await user.type(dialog.getByLabel("Name"), name);
  await user.click(dialog.getByRole("button", { name: "Create key" }));
  const shown = page.getByRole("figure", { name: "Make a first call" }).locator("pre");
  const firstCall = (await shown.textContent()) ?? "";
  expect(JSON.stringify(await shell(firstCall))).toContain(product.slug);
  await user.click(page.getByRole("button", { name: "I saved it" }));
  const [setKey = ""] = firstCall.split("\n");
  expect(await shell(`${setKey}\n${call}`)).toMatchObject({ action_slug: product.slug, status: "accepted" });
  expectClicks(user, info, 6);
});

/** Returns a workflow with a step that calls a URL. */
const calling = (url: string) => {
  const node = (id: string, type: string, y: number, data: object) => ({ id, type, position: { x: 0, y }, data });
  return {
    nodes: [
      node("start", "action_input", 0, { name: "Action Input", properties: [] }),
      node("call", "connector", 150, {
        name: "Call",
        connector: "http",
        operation: "request",
        params: { method: "GET", url },
      }),
      node("end", "return_output", 300, {
        name: "Return Output",
        properties: [{ name: "total", type: "number", value: "{{call.body.total}}" }],
      }),
    ],
    edges: [
      { id: "a", source: "start", target: "call" },
      { id: "b", source: "call", target: "end" },
    ],
  };
};

test("a failed run is debugged in the editor, published again and replayed within 11 clicks", async ({
  signedInPage: page,
  product,
  service,
  api,
}, info) => {
  test.slow();
  service.answerWith(({ path }) => (path === "/orders" ? { json: { total: 42 } } : { status: 404, json: {} }));
  const id = await storeWorkflow(page, product.url, "Debugged by a new user", calling(`${service.url}/oders`));
  const slug = newSlug("debugged");
  const headers = { origin: product.url };
  await page.request.post("/api/web/deploy_workflow", { headers, data: { workflow_id: id, slug } });
  const failed = await callAction(api, slug, {});
  expect(failed.status).toBe("failed");

  const user = new NewUser(page);
  await page.goto("/runs");
  await user.click(page.locator(`a[href*="${failed.run_id}"]`).first());
  await user.click(page.getByRole("link", { name: "Open in editor" }).first());
  await user.click(card(page, "Call"));
  const url = page.getByRole("textbox", { name: "URL" });
  await user.click(url);
  await user.retype(url, `${service.url}/orders`);
  await saved(page);
  await user.click(page.getByRole("button", { name: "Publish Action" }));
  const dialog = page.getByRole("dialog", { name: "Publish Action" });
  await expect(dialog.getByText("No problems found.")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Publish Action" }));
  const success = page.getByRole("dialog", { name: "Version 2 is live" });
  await user.click(success.getByRole("button", { name: "Back to the canvas" }));
  await user.click(page.getByRole("region", { name: "Run in the editor" }).getByRole("link").first());
  await user.click(page.getByRole("button", { name: "Replay…" }));
  const replay = page.getByRole("dialog", { name: "Replay this run" });
  await user.choose(replay.getByRole("combobox", { name: "Version" }), "latest");
  await user.click(replay.getByRole("button", { name: "Replay", exact: true }));
  await expect(page).not.toHaveURL(new RegExp(failed.run_id));
  const replayed = page.url().match(/runs\/([0-9a-f-]+)/)?.[1] ?? "";
  expect(await endedRun(api, replayed)).toMatchObject({ status: "succeeded", output: { total: 42 } });
  expectClicks(user, info, 11);
});

test("a workflow is made from a template, published and called within 4 clicks", async ({
  signedInPage: page,
  api,
}, info) => {
  test.slow();
  const user = new NewUser(page);
  await page.goto("/workflows");
  await user.click(page.getByRole("link", { name: "Templates" }).first());
  await user.click(page.getByRole("button", { name: /^Use template\s*: Hello/ }));
  await expect(page).toHaveURL(/\/workflows\/[0-9a-f-]{36}/);
  const slug = newSlug("hello");
  await publish(user, slug);
  expect(await callAction(api, slug, { name: "Ada" })).toMatchObject({
    status: "succeeded",
    output: { text: "Hello, Ada!" },
  });
  expectClicks(user, info, 4);
});
