import type { Locator, Page } from "playwright/test";
import { card, createWorkflow, edge, node, readDraft } from "#e2e/canvas-drawing";
import { saved } from "#e2e/draw-workflow";
import { expect } from "#e2e/fixtures";

/** The message in the step Ask. */
export const MESSAGE = "Refund {{action_input.amount}} to {{upper(action_input.customer)}}?";

/** A workflow with an input, a step with one rule, and an approval with a chip and a call in its message. */
export const DRAWING = {
  nodes: [
    node(
      "action_input",
      "action_input",
      { x: 0, y: 0 },
      {
        name: "Action Input",
        properties: [
          { name: "amount", type: "number", required: true },
          { name: "customer", type: "string", required: true },
        ],
      },
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
    node("ask", "approval", { x: 0, y: 340 }, { name: "Ask", message: MESSAGE }),
    node("return_output", "return_output", { x: 0, y: 520 }, { name: "Return Output", properties: [] }),
  ],
  edges: [edge("action_input", "check"), edge("check", "ask", "true"), edge("ask", "return_output")],
};

export const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
export const chips = (found: Locator) => found.locator("[data-expression]");
export const list = (page: Page) => page.getByRole("listbox", { name: "Data from earlier steps" });

/**
 * Opens the workflow with a step selected. Returns a function that reads the step's data from the server after it is
 * saved.
 */
export async function openStep(page: Page, url: string, name: string): Promise<() => Promise<Record<string, unknown>>> {
  const id = await createWorkflow(page, url, "Expression fields", DRAWING);
  await page.goto(`/workflows/${id}`);
  await card(page, name).click();
  // Waits for the editor, because the plain field that is shown before it has no undo history.
  const panel = page.getByRole("complementary", { name: `Settings for ${name}` });
  await expect(panel.locator(".cm-content").first()).toBeVisible();
  return async () => {
    await saved(page);
    const drawn = (await readDraft(page, url, id)).nodes.find(({ data }) => data.name === name);
    if (drawn === undefined) throw new Error(`The draft has no step ${name}.`);
    return drawn.data;
  };
}
