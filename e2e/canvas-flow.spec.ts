import type { Page } from "playwright/test";
import { createWorkflow, ENDS, readDraft } from "#e2e/canvas-drawing";
import { card, pickStep, saved } from "#e2e/draw-workflow";
import { expect, test } from "#e2e/fixtures";

const STEPS = ["transform", "delay", "condition", "http request"];
const FLOW = ["Action Input", "Transform", "Delay", "Condition", "HTTP request", "Return Output"];

/** Returns the lines of the stored draft, and the name and number of each card. */
async function readFlow(page: Page, url: string, id: string) {
  await saved(page);
  const { edges } = await readDraft(page, url, id);
  const lines = (edges as { source: string; target: string }[]).map(({ source, target }) => `${source} > ${target}`);
  const labels = await page
    .getByRole("group", { name: /^Step \d+, / })
    .evaluateAll((cards) => cards.map((drawn) => drawn.getAttribute("aria-label") ?? ""));
  const numbers = labels.map((label) => label.split(", ").slice(0, 2).join(" "));
  return { lines: lines.toSorted(), numbers: numbers.toSorted() };
}

const CHAIN = {
  lines: [
    "action_input > transform",
    "condition > http_request",
    "delay > condition",
    "http_request > return_output",
    "transform > delay",
  ],
  numbers: FLOW.map((name, at) => `Step ${at + 1} ${name}`).toSorted(),
};

test("by keyboard: N and a choice, four times, draws a chain", async ({ signedInPage: page, product }) => {
  const id = await createWorkflow(page, product.url, "Chain by keyboard", ENDS);
  await page.goto(`/workflows/${id}`);
  await expect(card(page, "Return Output")).toBeVisible();
  for (const words of STEPS) {
    await page.keyboard.press("n");
    await expect(page.getByRole("combobox", { name: "Search steps" })).toBeFocused();
    await page.keyboard.type(words);
    await page.keyboard.press("Enter");
    const settings = page.getByRole("complementary", { name: /^Settings for/ });
    // The panel has the focus, so Escape leads back to the card.
    await expect(settings.locator(":focus")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(settings).toBeHidden();
  }
  expect(await readFlow(page, product.url, id)).toEqual(CHAIN);
});

test("by mouse: the button of the toolbar inserts into the flow, and a click on empty canvas adds a loose step", async ({
  signedInPage: page,
  product,
}) => {
  const id = await createWorkflow(page, product.url, "Chain by mouse", ENDS);
  await page.goto(`/workflows/${id}`);
  const pane = page.locator(".react-flow__pane");
  await expect(card(page, "Return Output")).toBeVisible();
  for (const words of STEPS) {
    await pane.click({ position: { x: 20, y: 20 } });
    await page.getByRole("toolbar", { name: "Canvas" }).getByRole("button", { name: "Add step" }).click();
    await expect(page.getByRole("dialog", { name: /^Add after .+, before Return Output$/ })).toBeVisible();
    await pickStep(page, words);
  }
  await page.keyboard.press("Escape");
  expect(await readFlow(page, product.url, id)).toEqual(CHAIN);

  await pane.click({ button: "right", position: { x: 20, y: 60 } });
  await page.getByRole("menuitem", { name: "Add a step here" }).click();
  await pickStep(page, "transform");
  await expect(card(page, "Transform 2")).toHaveAccessibleName(/^Step 7, /);
  const { lines } = await readFlow(page, product.url, id);
  expect(lines).toEqual(CHAIN.lines);
});
