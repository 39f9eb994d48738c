import type { Locator, Page } from "playwright/test";
import { expect } from "#e2e/fixtures";

/** Types into the open list of steps and presses Enter. */
export async function pickStep(page: Page, words: string): Promise<void> {
  await page.getByRole("combobox", { name: "Search steps" }).fill(words);
  await page.keyboard.press("Enter");
}

/** Sets the selected step's name. The step's id follows the name. */
export async function nameStep(page: Page, name: string): Promise<void> {
  await page.getByRole("textbox", { name: "Step name" }).fill(name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("complementary", { name: `Settings for ${name}` })).toBeVisible();
}

export async function saved(page: Page): Promise<void> {
  await expect(page.locator("[data-save-status]")).toHaveAttribute("data-save-status", "saved");
}

export function card(page: Page, name: string): Locator {
  return page.getByRole("group", { name: new RegExp(`^Step \\d+, ${name},`) });
}

/** Draws a line from a step's output to an empty place. */
export async function dragToEmptyCanvas(page: Page, from: string, handle: string): Promise<void> {
  await takeOutput(page, from, handle);
  const frame = await boxOf(card(page, from));
  await dropAt(page, frame.x + frame.width + 40, frame.y + frame.height + 60);
}

/** Draws a line from a step's output to another step. */
export async function dragToStep(page: Page, from: string, handle: string, to: string): Promise<void> {
  await takeOutput(page, from, handle);
  const input = await boxOf(card(page, to).locator(".react-flow__handle.target"));
  await dropAt(page, input.x + input.width / 2, input.y + input.height / 2);
}

/**
 * Presses the mouse on an output. Hovering waits until the canvas stops moving, which it does after tidying or
 * scrolling into view.
 */
async function takeOutput(page: Page, name: string, handle: string): Promise<void> {
  await card(page, name).locator(`.react-flow__handle[data-handleid="${handle}"]`).hover();
  await page.mouse.down();
}

async function dropAt(page: Page, x: number, y: number): Promise<void> {
  await page.mouse.move(x, y, { steps: 12 });
  await page.mouse.up();
}

async function boxOf(drawn: Locator) {
  const box = await drawn.boundingBox();
  if (box === null) throw new Error(`${drawn} is not drawn`);
  return box;
}
