import type { Page } from "playwright/test";
import { openChain, openColumn, openLarge, toolbar } from "#e2e/canvas-column";
import { card, createWorkflow, node, readDraft } from "#e2e/canvas-drawing";
import { saved } from "#e2e/draw-workflow";
import { expect, test } from "#e2e/fixtures";

test("the minimap is shown only while a part of the drawing is outside the view", async ({
  signedInPage: page,
  product,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openColumn(page, product.url, "Mapped");
  const map = page.locator("[data-minimap]");
  await page.keyboard.press("0");
  await expect(map).toBeVisible();
  await page.keyboard.press("1");
  await expect(map).toBeHidden();
  await page.keyboard.press("0");
  await expect(map).toBeVisible();
  await page.keyboard.press("m");
  await expect(map).toHaveCount(0);
});

test("the zoom menu zooms, fits everything, and fits the selection", async ({ signedInPage: page, product }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openColumn(page, product.url, "Zoomed", "s4");
  await page.keyboard.press("Escape");
  const zoom = toolbar(page).getByRole("button", { name: /^Zoom: / });
  const choose = async (name: RegExp) => {
    await zoom.click();
    await page.getByRole("menuitem", { name }).click();
  };
  await choose(/^200%/);
  await expect(zoom).toHaveText("200%");
  await choose(/^50%/);
  await expect(zoom).toHaveText("50%");
  await choose(/^Fit the selection/);
  await expect(zoom).toHaveText("100%");
  await choose(/^Fit to view/);
  await expect(card(page, "Return Output")).toBeInViewport({ ratio: 0.99 });
  await expect(card(page, "Action Input")).toBeInViewport({ ratio: 0.99 });
});

test("a drawing of 200 steps fits into the view, with its steps shown as dots", async ({
  signedInPage: page,
  product,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1280, height: 720 });
  await openLarge(page, product.url, "Two hundred");
  await expect(card(page, "Action Input")).toBeInViewport({ ratio: 0.99 });
  await expect(card(page, "Part 199")).toBeInViewport({ ratio: 0.99 });
  await expect(page.locator(".workflow-canvas")).toHaveAttribute("data-zoom", "dots");
  await expect(card(page, "Part 199").getByText("Part 199")).toBeHidden();
});

test("a chain of 200 steps opens readable at its start, a key shows all of it, and the next visit shows the last view", async ({
  signedInPage: page,
  product,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1280, height: 720 });
  await openChain(page, product.url, "Long chain");
  const zoom = toolbar(page).getByRole("button", { name: /^Zoom: / });
  await expect(zoom).toHaveText("75%");
  for (const name of ["Action Input", "Part 1", "Part 2"])
    await expect(card(page, name)).toBeInViewport({ ratio: 0.99 });
  await page.keyboard.press("1");
  for (const name of ["Action Input", "Part 199"]) await expect(card(page, name)).toBeInViewport({ ratio: 0.99 });
  const all = (await zoom.textContent()) ?? "";
  expect(all).not.toBe("75%");
  await page.reload();
  await expect(zoom).toHaveText(all);
  for (const name of ["Action Input", "Part 199"]) await expect(card(page, name)).toBeInViewport({ ratio: 0.99 });
});

/** Drags a card without releasing it. */
async function dragCard(page: Page, name: string, by: { x: number; y: number }, held?: string): Promise<void> {
  // `hover` waits until the canvas stops moving.
  await card(page, name).hover();
  const box = await card(page, name).boundingBox();
  if (box === null) throw new Error(`${name} is not drawn`);
  const from = { x: box.x + 60, y: box.y + 14 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  // The drag starts at the first point that the pointer moves to after the press.
  await page.mouse.move(from.x, from.y + 2);
  if (held !== undefined) await page.keyboard.down(held);
  await page.mouse.move(from.x + by.x, from.y + 2 + by.y, { steps: 5 });
}

test("a dragged step snaps to its neighbors' edges with a guide, to the grid elsewhere, and to nothing while Ctrl is held", async ({
  signedInPage: page,
  product,
}) => {
  const nodes = [
    node("action_input", "action_input", { x: 0, y: 0 }, { name: "Action Input", properties: [] }),
    node("off", "transform", { x: 7, y: 300 }, { name: "Off the grid", fields: [{ name: "x", value: "1" }] }),
    node("moved", "transform", { x: 400, y: 140 }, { name: "Moved", fields: [{ name: "x", value: "1" }] }),
  ];
  // Near the edge of a smaller canvas, the drawing would move during the drag.
  await page.setViewportSize({ width: 1440, height: 900 });
  const workflowId = await createWorkflow(page, product.url, "Guided", { nodes, edges: [] });
  await page.goto(`/workflows/${workflowId}`);
  await expect(card(page, "Moved")).toBeVisible();
  await page.keyboard.press("0");
  await expect(toolbar(page).getByRole("button", { name: /^Zoom: / })).toHaveText("100%");
  const guides = page.locator("[data-guides]");
  const places = async () => (await readDraft(page, product.url, workflowId)).nodes.at(-1)?.position;
  await dragCard(page, "Moved", { x: -391, y: 0 });
  await expect(guides).toBeAttached();
  await page.mouse.up();
  await expect(guides).toHaveCount(0);
  await expect.poll(places).toMatchObject({ x: 7 });
  await dragCard(page, "Moved", { x: 496, y: 260 });
  await page.mouse.up();
  await expect.poll(places).toEqual({ x: 500, y: 400 });
  await dragCard(page, "Moved", { x: 3, y: 47 }, "Control");
  await page.mouse.up();
  await page.keyboard.up("Control");
  // Rounding can cost the pointer a pixel. The grid and the guides are further away than that.
  await expect.poll(async () => Math.abs(((await places())?.x ?? 0) - 503)).toBeLessThanOrEqual(1);
  await expect.poll(async () => Math.abs(((await places())?.y ?? 0) - 447)).toBeLessThanOrEqual(1);
});

/** Returns true if the second card is to the right of the first, in the same row. */
const isRightOf = async (page: Page, first: string, second: string) => {
  const [left, right] = await Promise.all([first, second].map((name) => card(page, name).boundingBox()));
  return left != null && right != null && right.x > left.x + left.width && Math.abs(right.y - left.y) < right.height;
};

test("a key or a button turns the drawing, the turn is saved, and the arrow keys follow the new direction", async ({
  signedInPage: page,
  product,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openColumn(page, product.url, "Turned");
  await page.keyboard.press("Shift+T");
  await expect.poll(() => isRightOf(page, "Part 7", "Part 8")).toBe(true);
  // Without a selected step, the whole drawing is shown.
  await expect(card(page, "Action Input")).toBeInViewport({ ratio: 0.99 });
  await expect(card(page, "Return Output")).toBeInViewport({ ratio: 0.99 });
  await saved(page);
  await page.reload();
  await expect.poll(() => isRightOf(page, "Part 7", "Part 8")).toBe(true);
  await card(page, "Action Input").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(card(page, "Part 1")).toHaveClass(/selected/);
  await toolbar(page)
    .getByRole("button", { name: /^Draw from top to bottom/ })
    .click();
  await expect.poll(() => isRightOf(page, "Part 7", "Part 8")).toBe(false);
  await page.keyboard.press("ControlOrMeta+z");
  await expect.poll(() => isRightOf(page, "Part 7", "Part 8")).toBe(true);
});
