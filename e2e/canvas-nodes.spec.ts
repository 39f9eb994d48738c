import type { Page } from "playwright/test";
import {
  card,
  createWorkflow,
  type DraftNode,
  ENDS,
  expectExpression,
  LOOP,
  readDraft,
  typeReference,
} from "#e2e/canvas-drawing";
import { expect, test } from "#e2e/fixtures";

/** Opens the list of steps with a button on the canvas or in the panel, and chooses the first match. */
async function addStep(page: Page, button: string, words: string, name: string): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("combobox", { name: "Search steps" }).fill(words);
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Step name" }).fill(name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("complementary", { name: `Settings for ${name}` })).toBeVisible();
}

/** Fills a field of the open panel by its label. `at` selects one of several fields with the same label. */
async function fillField(page: Page, label: string, value: string, at = 0): Promise<void> {
  const field = page.getByRole("textbox", { name: label, exact: true }).nth(at);
  await field.fill(value);
  // The suggestions for an expression could cover the next field.
  await field.blur();
}

async function saved(page: Page): Promise<void> {
  await expect(page.locator("[data-save-status]")).toHaveAttribute("data-save-status", "saved");
}

test("a loop with a transform, a switch, and code inside is drawn, published, and called, and its iterations can be read", async ({
  signedInPage: page,
  product,
  api,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1600, height: 1200 });
  const id = await createWorkflow(page, product.url, "Price orders", ENDS);
  await page.goto(`/workflows/${id}`);

  await addStep(page, "Add a step between Action Input and Return Output", "for each", "Each order");
  await typeReference(page.getByRole("textbox", { name: "List" }), "{{ord", "action_input.orders");
  await expectExpression(page.getByRole("textbox", { name: "List" }), "{{action_input.orders}}");
  await page.getByRole("combobox", { name: "Items at a time" }).selectOption("3");

  await addStep(page, "Add a step inside Each order", "transform", "Amount");
  await fillField(page, "Name", "euros");
  await typeReference(page.getByRole("textbox", { name: "Value", exact: true }), "{{each_order.it", "each_order.item");
  await expectExpression(page.getByRole("textbox", { name: "Value", exact: true }), "{{each_order.item}}");

  await addStep(page, "Add a step after Amount", "switch", "Size");
  await fillField(page, "Name", "Large");
  await fillField(page, "Value", "{{amount.euros}}");
  await page.getByRole("combobox", { name: "Comparison" }).selectOption("is greater than");
  await fillField(page, "Compared with", "100");

  await addStep(page, "Add a step after Size, branch Large", "code", "Discount");
  await page.getByRole("button", { name: "Add value" }).click();
  await expect(page.getByRole("textbox", { name: "Name of value 1" })).toBeFocused();
  await fillField(page, "Name of value 1", "euros");
  await fillField(page, "Value of euros", "{{amount.euros}}");
  await fillField(
    page,
    "TypeScript",
    "export default async (input: { euros: number }) => ({ euros: input.euros * 0.9 });",
  );

  // Selects the loop itself. The result of an iteration is set from inside the loop.
  await page.keyboard.press("Escape");
  await card(page, "Each order").click({ position: { x: 30, y: 20 } });
  // The initial result is the output of the step that was added first.
  await page.getByRole("textbox", { name: "Result of each iteration" }).fill("");
  await typeReference(page.getByRole("textbox", { name: "Result of each iteration" }), "{{disc", "discount");
  await expectExpression(page.getByRole("textbox", { name: "Result of each iteration" }), "{{discount}}");
  await fillField(page, "Result of each iteration", '{"full": "{{amount.euros}}", "reduced": "{{discount.euros}}"}');

  await page
    .getByRole("region", { name: "Next steps" })
    .getByRole("button", { name: "Return Output", exact: true })
    .click();
  await page.getByRole("button", { name: "Add field" }).click();
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toBeFocused();
  await fillField(page, "Name", "prices");
  await page.getByRole("combobox", { name: "Type" }).selectOption("array");
  await fillField(page, "Value", "{{each_order.results}}");
  await page.keyboard.press("Escape");
  await saved(page);
  // The discount of a small order is null.
  await expect(page.getByRole("button", { name: "1 warning" })).toBeVisible();
  const draft = await readDraft(page, product.url, id);
  expect(Object.fromEntries(draft.nodes.map((drawn) => [drawn.id, drawn.parentId]))).toEqual({
    action_input: undefined,
    return_output: undefined,
    each_order: undefined,
    amount: "each_order",
    size: "each_order",
    discount: "each_order",
  });

  const slug = `price-orders-${Date.now().toString(36)}`;
  await page.getByRole("button", { name: "Activate" }).click();
  const dialog = page.getByRole("dialog", { name: "Activate" });
  await dialog.getByRole("textbox", { name: "Slug" }).fill(slug);
  await dialog.getByRole("button", { name: "Activate" }).click();
  await expect(page.getByRole("dialog", { name: "Version 1 is live" })).toBeVisible();

  const called = await api.post(`/api/v1/runtime/actions/${slug}/run`, { data: { input: { orders: [50, 200] } } });
  expect(called.status()).toBe(202);
  const { run_id } = await called.json();
  const read = async () => (await api.get(`/api/v1/runtime/runs/${run_id}`)).json();
  await expect.poll(async () => (await read()).status).toBe("succeeded");
  expect((await read()).output).toEqual({
    prices: [
      { full: 50, reduced: null },
      { full: 200, reduced: 180 },
    ],
  });

  await page.goto(`/runs/${run_id}`);
  await expect(page.getByText("Discount · item 2")).toBeVisible();
  await expect(page.getByText("Amount · item 1")).toBeVisible();
  await page.getByText("Discount · item 2").click();
  await expect(page.getByText("180").first()).toBeVisible();
});

const parents = ({ nodes }: { nodes: DraftNode[] }) => nodes.filter((drawn) => drawn.parentId).map((drawn) => drawn.id);

test("steps are dragged into a loop and out of it, and undo restores a deleted loop with its body", async ({
  signedInPage: page,
  product,
}) => {
  await page.setViewportSize({ width: 1600, height: 1200 });
  const id = await createWorkflow(page, product.url, "Drag across", LOOP);
  const draft = () => readDraft(page, product.url, id);
  await page.goto(`/workflows/${id}`);
  const drag = async (name: string, x: number, y: number) => {
    // `hover` waits until the card stops moving, because the canvas is fitted into the view after it is measured.
    await card(page, name).hover({ position: { x: 100, y: 18 } });
    const box = await card(page, name).boundingBox();
    if (box === null) throw new Error(`${name} is not drawn`);
    const from = { x: box.x + box.width / 2, y: box.y + 18 };
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + x / 2, from.y + y / 2, { steps: 6 });
    await page.mouse.move(from.x + x, from.y + y, { steps: 6 });
    await page.mouse.up();
  };
  await drag("Second", 420, 0);
  await expect(page.getByText("lines can't cross the border of a loop").first()).toBeVisible();
  await expect.poll(async () => parents(await draft())).toEqual(["first"]);
  await page.keyboard.press("Control+z");
  await expect.poll(async () => parents(await draft())).toEqual(["first", "second"]);

  await drag("Before", 0, 230);
  await expect.poll(async () => parents(await draft())).toEqual(["before", "first", "second"]);
  await page.keyboard.press("Control+z");
  await expect.poll(async () => parents(await draft())).toEqual(["first", "second"]);

  await card(page, "Each").click({ position: { x: 30, y: 20 } });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Delete");
  await expect
    .poll(async () => (await draft()).nodes.map((drawn) => drawn.id))
    .toEqual(["action_input", "return_output", "before"]);
  await page.getByRole("button", { name: "Undo" }).first().click();
  await expect.poll(async () => parents(await draft())).toEqual(["first", "second"]);
  expect((await draft()).edges).toHaveLength(4);
});

test("a loop is filled and tidied by keyboard alone, and the outline shows its steps", async ({
  signedInPage: page,
  product,
}) => {
  const id = await createWorkflow(page, product.url, "By keyboard", LOOP);
  await page.goto(`/workflows/${id}`);
  await card(page, "Action Input").focus();
  for (const name of ["Before", "Each", "First", "Second", "Return Output"]) {
    await page.keyboard.press("ArrowDown");
    await expect(card(page, name)).toBeFocused();
  }
  await page.keyboard.press("ArrowUp");
  await expect(card(page, "Each")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(card(page, "Before")).toBeFocused();
  await page.keyboard.press("Enter");
  // Does the same as dragging: moves the step into a loop.
  await page.getByRole("combobox", { name: "Location" }).selectOption("Each");
  await expect.poll(async () => parents(await readDraft(page, product.url, id))).toEqual(["before", "first", "second"]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("o");
  const outline = page.getByRole("navigation", { name: "Workflow outline" });
  const inside = outline.getByRole("listitem").filter({ hasText: "Each" }).getByRole("list").getByRole("listitem");
  await expect(inside).toHaveCount(3);

  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  const places = async () => (await readDraft(page, product.url, id)).nodes.map(({ position }) => position);
  const drawn = await places();
  await page.keyboard.press("Shift+L");
  await expect.poll(places).not.toEqual(drawn);
  const tidied = await places();
  await page.keyboard.press("Control+z");
  await expect.poll(places).toEqual(drawn);
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(places).toEqual(tidied);
});
