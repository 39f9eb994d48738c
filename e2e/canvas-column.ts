import type { Page } from "playwright/test";
import { card, createWorkflow, edge, node } from "#e2e/canvas-drawing";
import { expect } from "#e2e/fixtures";

const STEPS = 9;

/** A workflow of Action Input, a column of steps that is taller than any view, and Return Output. */
const COLUMN = (() => {
  const steps = Array.from({ length: STEPS }, (_, at) =>
    node(
      `s${at}`,
      "transform",
      { x: 0, y: 160 + 160 * at },
      { name: `Part ${at}`, fields: [{ name: "x", value: "1" }] },
    ),
  );
  const nodes = [
    node("action_input", "action_input", { x: 0, y: 0 }, { name: "Action Input", properties: [] }),
    ...steps,
    node("return_output", "return_output", { x: 0, y: 160 * (STEPS + 1) }, { name: "Return Output", properties: [] }),
  ];
  return { nodes, edges: nodes.slice(1).map((target, at) => edge(nodes[at]?.id ?? "", target.id)) };
})();

const LARGE = 200;
const ROW = 10;

/** Opens a new workflow of 200 steps in rows of 10, with all of them in view, or with a step's panel if `selected` names one. */
export async function openLarge(page: Page, url: string, name: string, selected?: string): Promise<void> {
  const drawing = largeDrawing((at) => ({ x: (at % ROW) * 320, y: Math.floor(at / ROW) * 180 }));
  await openWorkflow(page, await createWorkflow(page, url, name, drawing), selected);
  if (selected === undefined) await page.keyboard.press("1");
}

/** Opens a new workflow of 200 steps below one another. */
export async function openChain(page: Page, url: string, name: string): Promise<void> {
  const drawing = largeDrawing((at) => ({ x: 0, y: at * 130 }));
  await openWorkflow(page, await createWorkflow(page, url, name, drawing));
}

function largeDrawing(placeOf: (at: number) => { x: number; y: number }) {
  const nodes = Array.from({ length: LARGE }, (_, at) =>
    at === 0
      ? node("action_input", "action_input", placeOf(at), { name: "Action Input", properties: [] })
      : node(`s${at}`, "transform", placeOf(at), { name: `Part ${at}`, fields: [{ name: "x", value: "1" }] }),
  );
  return { nodes, edges: nodes.slice(1).map((target, at) => edge(nodes[at]?.id ?? "", target.id)) };
}

/** Opens a new workflow with the column. Also opens a step's panel if `selected` names one. */
export async function openColumn(page: Page, url: string, name: string, selected?: string): Promise<void> {
  await openWorkflow(page, await createWorkflow(page, url, name, COLUMN), selected);
}

async function openWorkflow(page: Page, workflowId: string, selected?: string): Promise<void> {
  await page.goto(`/workflows/${workflowId}${selected === undefined ? "" : `?node=${selected}`}`);
  await expect(card(page, "Action Input")).toBeAttached();
  // The canvas fits the drawing after it is measured, which would undo an earlier zoom. The zoom starts at 100%, where
  // no drawing of these tests fits.
  await expect(toolbar(page).getByRole("button", { name: /^Zoom: / })).not.toHaveText("100%");
  // The step is selected after the drawing appears. Escape before that would close nothing.
  if (selected !== undefined) await expect(page.getByRole("complementary", { name: /^Settings for/ })).toBeVisible();
}

export const toolbar = (page: Page) => page.getByRole("toolbar", { name: "Canvas" });
