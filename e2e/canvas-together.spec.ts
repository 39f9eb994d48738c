import type { Page } from "playwright/test";
import { findFaults } from "#e2e/accessibility";
import { card, createWorkflow, ENDS, edge, node, readDraft } from "#e2e/canvas-drawing";
import { expect, type Product, test } from "#e2e/fixtures";

/** Action Input > Ask (a call) > Double > Return Output. */
function asking(url: string) {
  const params = { method: "POST", url, body: { to: "{{action_input.email}}" } };
  return {
    nodes: [
      node(
        "start",
        "action_input",
        { x: 0, y: 0 },
        { name: "Action Input", properties: [{ name: "email", type: "string", required: true }] },
      ),
      node("ask", "connector", { x: 0, y: 180 }, { name: "Ask", connector: "http", operation: "request", params }),
      node(
        "double",
        "code",
        { x: 0, y: 360 },
        { name: "Double", input: { n: "{{ask.body.n}}" }, source: "return { twice: input.n * 2 };" },
      ),
      node(
        "end",
        "return_output",
        { x: 0, y: 540 },
        { name: "Return Output", properties: [{ name: "n", type: "number", value: "{{double.twice}}" }] },
      ),
    ],
    edges: [edge("start", "ask"), edge("ask", "double"), edge("double", "end")],
  };
}

/** Adds an unconnected step the way an agent does. */
async function changeAsAgent(page: Page, product: Product, id: string): Promise<void> {
  const added = { id: "added", type: "delay", data: { name: "Added by an agent", seconds: 1 } };
  const answer = await page.request.post(product.mcp_url, {
    headers: {
      authorization: `Bearer ${product.raw_key}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    data: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "update_workflow",
        arguments: { workflow_id: id, operations: [{ op: "add_node", node: added }] },
      },
    },
  });
  expect(await answer.text()).not.toContain('"isError":true');
}

test("a draft is tested on the canvas: a failure leads to its step, a pin spares the call, and one step runs alone", async ({
  signedInPage: page,
  product,
  service,
}) => {
  await page.setViewportSize({ width: 1600, height: 1200 });
  service.answerWith(() => ({ status: 404, json: { error: "no one here" } }));
  const id = await createWorkflow(page, product.url, "Tested", asking(service.url));
  await page.goto(`/workflows/${id}`);
  await card(page, "Double").click();
  await expect(page.getByText("Run Ask to see a value.")).toBeVisible();

  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByRole("textbox", { name: "email" }).fill("ada@example.org");
  await page.keyboard.press("Control+Enter");
  const steps = page.getByRole("list", { name: "Steps of this test" });
  await expect(steps.getByRole("button", { name: /^Ask.*Failed/ })).toBeVisible();
  // The port of the Failed branch has the same text.
  await expect(card(page, "Ask").getByText("Failed").first()).toBeVisible();
  await expect(card(page, "Return Output").getByText("Not reached")).toBeVisible();
  await steps.getByRole("button", { name: /^Ask/ }).click();
  const panel = page.getByRole("complementary", { name: "Settings for Ask" });
  await expect(panel.getByText("A value is invalid")).toBeVisible();

  service.answerWith(() => ({ json: { n: 21 } }));
  await page.keyboard.press("Control+Enter");
  await expect(card(page, "Return Output").getByText("Succeeded")).toBeVisible();
  expect(service.requests.at(-1)?.body).toContain("ada@example.org");
  // The run ends after its last step, and the list of earlier runs loads only once, so the test waits for the end.
  const tested = page.getByRole("region", { name: "Test", exact: true });
  await expect(tested.getByRole("button", { name: "Cancel" })).toHaveCount(0);
  const presets = page.getByRole("combobox", { name: "Fill in the input" });
  await presets.selectOption({ label: "Empty input" });
  await expect(page.getByRole("textbox", { name: "email" })).toHaveValue("");
  await presets.focus();
  await expect(presets.getByRole("option", { name: /Succeeded/ })).toBeAttached();
  await presets.selectOption({ index: 3 });
  // The field contains the stored input of an earlier run.
  await expect(page.getByRole("textbox", { name: "email" })).toHaveValue("[REDACTED_EMAIL]");
  await panel.getByRole("button", { name: "Run to here" }).click();
  await expect(steps.getByRole("button")).toHaveCount(2);
  await expect(steps.getByRole("button", { name: /^Ask.*Succeeded/ })).toBeVisible();
  const calls = service.requests.length;
  await panel.getByRole("button", { name: "Pin", exact: true }).click();
  await expect(card(page, "Ask").getByText("Pinned")).toBeVisible();
  await expect(panel.getByRole("textbox", { name: "Pinned output" })).toContainText("21");
  expect(await findFaults(page, { part: "#content" })).toEqual([]);

  await card(page, "Double").click();
  await page.getByRole("tab", { name: "Setup" }).click();
  await expect(page.getByText("With the last values: = 21")).toBeVisible();
  const code = page.getByRole("textbox", { name: "TypeScript", exact: true });
  await code.fill("return { twice: 100 + ");
  await code.press("Control+End");
  await code.pressSequentially("input.");
  await page.getByRole("option", { name: /^n/ }).click();
  await code.pressSequentially(" };");
  await page.keyboard.press("Control+Shift+Enter");
  await page.getByRole("tab", { name: "Output" }).click();
  await expect(page.getByRole("complementary", { name: "Settings for Double" }).getByText("121")).toBeVisible();
  await expect(steps.getByRole("button")).toHaveCount(3);
  await page.getByRole("button", { name: "Run from here" }).click();
  await expect(steps.getByRole("button")).toHaveCount(4);
  await expect(steps.getByRole("button", { name: /^Return Output.*Succeeded/ })).toBeVisible();
  expect(service.requests).toHaveLength(calls);
});

test("steps are copied to a workflow that is opened from the palette, and the search finds them there", async ({
  signedInPage: page,
  product,
}) => {
  const from = await createWorkflow(page, product.url, "Copied from", asking("http://127.0.0.1:9/"));
  const name = `Pasted into ${Date.now().toString(36)}`;
  const into = await createWorkflow(page, product.url, name, { ...ENDS, edges: [] });
  await page.goto(`/workflows/${from}`);
  await card(page, "Ask").focus();
  await page.keyboard.press("Control+a");
  // Passes the copied data in the event, because other tests also use the browser's clipboard.
  const copied = await page.evaluate(() => {
    const event = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
    return event.clipboardData?.getData("text/plain") ?? "";
  });

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Search commands/ }).fill(name);
  await page.getByRole("option", { name: new RegExp(name) }).click();
  await expect(page.getByRole("textbox", { name: "Workflow name" })).toHaveValue(name);
  await expect(card(page, "Action Input")).toBeVisible();
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, copied);
  await page.getByRole("button", { name: "Add the copied fields" }).click();
  await expect
    .poll(async () => (await readDraft(page, product.url, into)).nodes.map((drawn) => drawn.id))
    .toEqual(["action_input", "return_output", "ask", "double", "end"]);
  // The fields are saved after the steps are.
  await expect
    .poll(async () => (await readDraft(page, product.url, into)).nodes[0]?.data.properties)
    .toMatchObject([{ name: "orders" }, { name: "email" }]);
  const [, , ask] = (await readDraft(page, product.url, into)).nodes;
  expect(JSON.stringify(ask?.data)).toContain("{{action_input.email}}");

  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+f");
  await page.getByRole("textbox", { name: "Find in this workflow" }).fill("ask.body");
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 of 1")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(card(page, "Double")).toBeFocused();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await expect(card(page, "Double \\(copy\\)")).toBeVisible();
});

test("a page shows who else has the workflow open and what an agent changes, without a reload", async ({
  signedInPage: page,
  product,
}) => {
  const id = await createWorkflow(page, product.url, "Shared drawing", ENDS);
  const listening = page.waitForResponse("**/api/stream*");
  await page.goto(`/workflows/${id}`);
  await expect(card(page, "Action Input")).toBeVisible();
  await listening;
  const headers = { origin: product.url };
  const told = await page.request.post("/api/web/tell_presence", {
    headers,
    data: { workflow_id: id, client_id: crypto.randomUUID(), is_here: true },
  });
  expect(told.status()).toBe(200);
  const others = page.getByRole("list", { name: "Also viewing" });
  await expect(others.getByRole("button", { name: /has this workflow open$/ })).toBeVisible();

  await changeAsAgent(page, product, id);
  await expect(card(page, "Added by an agent")).toBeVisible();
  await expect(others.getByRole("button", { name: /svc_.* changed this workflow$/ })).toBeVisible();
});

test("simultaneous changes of two people and an agent are merged, and a conflict loses no one's work", async ({
  signedInPage: page,
  product,
}) => {
  const id = await createWorkflow(page, product.url, "Together", ENDS);
  const ask = (operation: string, data: object) =>
    page.request.post(`/api/web/${operation}`, { headers: { origin: product.url }, data });
  await page.goto(`/workflows/${id}`);
  await expect(card(page, "Action Input")).toBeVisible();
  const name = page.getByRole("textbox", { name: "Workflow name" });
  // While a field has the focus, a newer draft is not loaded automatically.
  await name.focus();

  const other = await page.context().newPage();
  await other.goto(`${product.url}/workflows/${id}`);
  await expect(card(other, "Action Input")).toBeVisible();
  const note = other.getByRole("textbox", { name: "Note text" });
  await expect(async () => {
    // If the note is already open, the key would be typed into it.
    if (!(await note.isVisible())) await other.keyboard.press("Shift+N");
    await expect(note).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await expect(note).toBeFocused();
  await other.keyboard.type("Ask Ada first");
  await other.keyboard.press("Escape");
  await expect(other.getByRole("group", { name: "Note: Ask Ada first" })).toBeFocused();
  await other.keyboard.press("Control+s");
  await expect(other.getByText("Saved.")).toBeVisible();
  expect(await findFaults(other, { part: "#content" })).toEqual([]);
  await other.close();
  await changeAsAgent(page, product, id);

  await name.fill("Renamed here");
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Your changes and theirs are merged.")).toBeVisible();
  await expect(page.getByRole("group", { name: "Note: Ask Ada first" })).toBeVisible();
  await expect(card(page, "Added by an agent")).toBeVisible();
  const read = async () => (await ask("get_workflow", { workflow_id: id })).json();
  await expect.poll(async () => (await read()).name).toBe("Renamed here");
  expect(await read()).toMatchObject({ notes: [{ text: "Ask Ada first" }], definition: { nodes: { length: 3 } } });

  await name.focus();
  await ask("update_workflow", { workflow_id: id, name: "Theirs" });
  await name.fill("Mine");
  await page.keyboard.press("Control+s");
  await page.getByRole("button", { name: "View changes" }).click();
  await expect(
    page.getByRole("dialog").getByText("The name is Mine in your version and Theirs in theirs."),
  ).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save mine as a copy" }).click();
  await expect(name).toHaveValue("Theirs");
  await page.getByRole("button", { name: "Open your copy" }).click();
  await expect(name).toHaveValue("Mine (my copy)");
  await expect(page.getByRole("group", { name: "Note: Ask Ada first" })).toBeVisible();
});
