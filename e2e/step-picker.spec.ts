import type { Locator, Page } from "playwright/test";
import { expectNoFaultInEitherTheme, findFaults } from "#e2e/accessibility";
import { card, createWorkflow, edge, node, readDraft } from "#e2e/canvas-drawing";
import { saved } from "#e2e/draw-workflow";
import { expect, test } from "#e2e/fixtures";

/** A condition with an open False branch, to which every kind of step except a start can be added. */
const BRANCHED = {
  nodes: [
    node(
      "action_input",
      "action_input",
      { x: 0, y: 0 },
      { name: "Action Input", properties: [{ name: "amount", type: "number", required: true }] },
    ),
    node(
      "check",
      "condition",
      { x: 0, y: 160 },
      {
        name: "Check",
        match: "all",
        rules: [{ left: "{{action_input.amount}}", operator: "greater_than", right: "5" }],
      },
    ),
    node("return_output", "return_output", { x: 0, y: 340 }, { name: "Return Output", properties: [] }),
  ],
  edges: [edge("action_input", "check"), edge("check", "return_output", "true")],
};
/** The kinds that most workflows use. */
const COMMON = ["HTTP request", "Condition", "Code", "Loop", "LLM", "Transform", "Approval", "Return Output"];
const FALSE_BRANCH = "Add a step after Check, branch False";

const search = (page: Page) => page.getByRole("combobox", { name: "Search steps" });
const list = (page: Page) => page.getByRole("listbox", { name: "Steps" });
const section = (page: Page, name: string) => list(page).getByRole("group", { name, exact: true });
const option = (page: Page, name: string | RegExp) => list(page).getByRole("option", { name });
const active = (page: Page) => list(page).getByRole("option", { selected: true });
/** Finds the letters of an app's mark, which are not text. */
const mark = (within: Locator, letters: string) => within.locator(`[data-letters="${letters}"]`);

async function openWorkflow(page: Page, url: string, name: string): Promise<string> {
  const id = await createWorkflow(page, url, name, BRANCHED);
  await page.goto(`/workflows/${id}`);
  await expect(card(page, "Check")).toBeVisible();
  return id;
}

async function openPicker(page: Page): Promise<void> {
  await page.getByRole("button", { name: FALSE_BRANCH }).click();
  await expect(search(page)).toBeFocused();
  await expect(section(page, "Apps")).toBeVisible();
}

async function ask(page: Page, url: string, operation: string, data: object) {
  const answer = await page.request.post(`/api/web/${operation}`, { headers: { origin: url }, data });
  expect(answer.status(), operation).toBeLessThan(300);
  return answer.json();
}

/** Reads the added step and its incoming edges from the server. */
async function readAdded(page: Page, url: string, id: string) {
  await saved(page);
  const { nodes, edges } = await readDraft(page, url, id);
  const added = nodes.filter((drawn) => !BRANCHED.nodes.some((own) => own.id === drawn.id));
  expect(added).toHaveLength(1);
  const [step] = added;
  return {
    data: step?.data,
    from: (edges as { source: string; sourceHandle?: string; target: string }[])
      .filter(({ target }) => target === step?.id)
      .map(({ source, sourceHandle }) => `${source}.${sourceHandle}`),
  };
}

for (const [width, height] of [
  [1440, 900],
  [1280, 720],
] as const) {
  test(`at ${width}x${height} the 8 most used kinds are visible without scrolling, also below apps and recent steps`, async ({
    signedInPage: page,
    product,
  }) => {
    test.slow();
    await page.setViewportSize({ width, height });
    for (const [words, name] of [
      ["delay", "Delay"],
      ["filter", "Filter"],
      ["switch", "Switch"],
    ] as const) {
      await openWorkflow(page, product.url, `Most used, ${name}`);
      await openPicker(page);
      for (const common of COMMON) await expect(option(page, common).first()).toBeInViewport({ ratio: 1 });
      await search(page).fill(words);
      await page.keyboard.press("Enter");
      await expect(page.getByRole("complementary", { name: `Settings for ${name}` })).toBeVisible();
    }
    await openWorkflow(page, product.url, "Most used");
    await openPicker(page);
    await expect(section(page, "Recent").getByRole("option")).toHaveCount(3);
    await expect(section(page, "Recent").getByRole("option").first()).toContainText("Switch");
    const steps = section(page, "Steps").getByRole("option");
    for (const [place, name] of COMMON.entries()) {
      await expect(steps.nth(place)).toContainText(name);
      await expect(steps.nth(place), name).toBeInViewport({ ratio: 1 });
    }
  });
}

test("by keyboard: a synonym finds an app, → opens its operations, and the chosen one names the card and gives it its mark", async ({
  signedInPage: page,
  product,
}) => {
  const id = await openWorkflow(page, product.url, "By keyboard");
  await page.getByRole("button", { name: FALSE_BRANCH }).focus();
  await page.keyboard.press("Enter");
  await expect(search(page)).toBeFocused();
  await expect(page.getByRole("dialog", { name: "Add after Check, branch False" })).toBeVisible();
  await page.keyboard.type("spreadsheet");
  await expect(active(page)).toContainText("Google Sheets");
  await search(page).fill("tg");
  await expect(active(page)).toContainText("Telegram");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("button", { name: "Back from Telegram" })).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await expect(section(page, "Steps")).toBeVisible();
  await page.keyboard.type("tg");
  await expect(active(page)).toContainText("Telegram");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("photo");
  await expect(active(page)).toContainText("Send a picture");
  await page.keyboard.press("Enter");

  await expect(mark(card(page, "Send a picture"), "Tg")).toBeVisible();
  const { data, from } = await readAdded(page, product.url, id);
  expect(data).toMatchObject({ name: "Send a picture", connector: "telegram", operation: "send_photo" });
  expect(from).toEqual(["check.false"]);
  await expect(page.getByRole("complementary", { name: "Settings for Send a picture" })).toBeVisible();

  await page.keyboard.press("Escape");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(card(page, "Send a picture")).toHaveCount(0);
  await card(page, "Check").focus();
  await page.keyboard.press("n");
  await expect(search(page)).toBeFocused();
  await expect(section(page, "Recent").getByRole("option")).toContainText(["Telegram: Send a picture"]);
  await page.keyboard.press("Escape");
  await expect(search(page)).toHaveCount(0);
  await expect(card(page, "Check")).toBeFocused();
});

test("by mouse: categories and apps lead to an operation, and the picker covers neither the step above nor the new place", async ({
  signedInPage: page,
  product,
}) => {
  const id = await openWorkflow(page, product.url, "By mouse");
  await openPicker(page);
  const picker = await page.getByRole("dialog", { name: "Add after Check, branch False" }).boundingBox();
  const above = await card(page, "Check").boundingBox();
  if (picker === null || above === null) throw new Error("The picker or the card is not drawn.");
  expect(picker.x >= above.x + above.width || picker.x + picker.width <= above.x).toBe(true);
  await page.getByRole("button", { name: "Apps", exact: true }).click();
  await expect(search(page)).toBeFocused();
  await expect(section(page, "Steps")).toHaveCount(0);
  await option(page, /^Telegram (?!:)/)
    .first()
    .click();
  await option(page, /^Send a message/).click();
  await expect(mark(card(page, "Send a message"), "Tg")).toBeVisible();
  const { data, from } = await readAdded(page, product.url, id);
  expect(data).toMatchObject({ name: "Send a message", connector: "telegram", operation: "send_message" });
  expect(from).toEqual(["check.false"]);
});

test("by mouse: a press on an add button while a name is typed keeps the name and opens the picker", async ({
  signedInPage: page,
  product,
}) => {
  const id = await openWorkflow(page, product.url, "Typed name");
  await card(page, "Check").click();
  await page.getByRole("textbox", { name: "Step name" }).fill("Large");
  await page.getByRole("button", { name: FALSE_BRANCH }).click();
  await expect(search(page)).toBeFocused();
  await expect(card(page, "Large")).toBeVisible();
  await search(page).fill("delay");
  await page.keyboard.press("Enter");
  // The id follows the name, and the pressed line follows the id.
  await expect
    .poll(async () => (await readDraft(page, product.url, id)).edges)
    .toContainEqual(expect.objectContaining({ source: "large", sourceHandle: "false", target: "delay" }));
});

test("the picker shows the workspace's connectors, connections, and actions, and a new step gets the matching connection", async ({
  signedInPage: page,
  product,
  service,
}) => {
  test.slow();
  const tail = Date.now().toString(36);
  const slug = `billing${tail}`;
  const { build_id } = await ask(page, product.url, "build_connector", {
    slug,
    name: `Billing ${tail}`,
    base_url: service.url,
    auth: "bearer",
    operations: [{ name: "create_invoice", title: "Create an invoice", method: "POST", path: "/invoices" }],
  });
  await expect.poll(async () => (await ask(page, product.url, "get_build_status", { build_id })).status).toBe("ready");
  const { connection } = await ask(page, product.url, "create_connection", {
    connector: "http",
    auth: "bearer",
    name: `Account ${tail}`,
    fields: { token: "token-of-the-test", hosts: service.url },
  });
  const id = await openWorkflow(page, product.url, "Own services");
  await openPicker(page);
  await page.getByRole("button", { name: "Yours" }).click();
  await expect(option(page, `Account ${tail}: HTTP request`)).toBeVisible();
  await expect(option(page, "Hello world")).toBeVisible();
  await search(page).fill(`invoice ${tail}`);
  await expect(active(page)).toContainText(`Billing ${tail}: Create an invoice`);
  await page.keyboard.press("Enter");
  await expect(mark(card(page, "Create an invoice"), "Bi")).toBeVisible();
  expect((await readAdded(page, product.url, id)).data).toMatchObject({
    connector: slug,
    operation: "create_invoice",
    connection_id: connection.connection_id,
  });
});

test("the command palette finds the same steps as the picker, and adds one after the selected step", async ({
  signedInPage: page,
  product,
}) => {
  const id = await openWorkflow(page, product.url, "Palette");
  await card(page, "Action Input").click();
  await page.keyboard.press("ControlOrMeta+k");
  const palette = page.getByRole("combobox", { name: /^Search commands/ });
  await palette.fill("telegarm send");
  const commands = page.getByRole("listbox", { name: "Commands" });
  await expect(commands.getByRole("option", { name: "Add Telegram: Send a message" })).toBeVisible();
  await palette.fill("tg photo");
  await expect(commands.getByRole("option").first()).toContainText("Add Telegram: Send a picture");
  await page.keyboard.press("Enter");
  await expect(mark(card(page, "Send a picture"), "Tg")).toBeVisible();
  expect((await readAdded(page, product.url, id)).from).toEqual(["action_input.undefined"]);
});

test("for a service without an app, the picker says so, and Enter adds a step that reaches any service", async ({
  signedInPage: page,
  product,
}) => {
  const id = await openWorkflow(page, product.url, "No app");
  await openPicker(page);
  for (const [words, name] of [
    ["return", "Return Output"],
    ["parse json", "Code"],
    ["manual", "Action Input"],
    ["error", "Fetch with retries"],
  ] as const) {
    await search(page).fill(words);
    await expect(list(page).getByRole("option").first()).toContainText(name);
  }
  await search(page).fill("slack");
  await expect(page.getByText("No step matches “slack”.")).toBeVisible();
  await expect(section(page, "Reach any service").getByRole("option")).toContainText(["HTTP request", "MCP server"]);
  await expect(page.getByRole("link", { name: "build a connector" })).toHaveAttribute("href", "/connections/build");
  await page.keyboard.press("Enter");
  expect((await readAdded(page, product.url, id)).data).toMatchObject({ connector: "http", operation: "request" });
});

test("the picker has no accessibility fault in either theme, in each of its states and on a phone", async ({
  signedInPage: page,
  product,
}) => {
  test.slow();
  await openWorkflow(page, product.url, "Accessible");
  await openPicker(page);
  const states = [
    async () => undefined,
    async () => search(page).fill("send"),
    async () => search(page).fill("qqqqzzzz"),
    async () => {
      await search(page).fill("telegram");
      await page.keyboard.press("ArrowRight");
    },
  ];
  for (const show of states) {
    await show();
    expect(await findFaults(page)).toEqual([]);
    await expectNoFaultInEitherTheme(page);
  }
  await page.setViewportSize({ width: 375, height: 740 });
  await expect(search(page)).toBeInViewport({ ratio: 1 });
  expect(await findFaults(page)).toEqual([]);
});
