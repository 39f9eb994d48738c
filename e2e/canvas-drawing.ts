import type { Locator, Page } from "playwright/test";
import { expect } from "#e2e/fixtures";

/** Creates a workflow for the signed-in user without the canvas. */
export async function createWorkflow(page: Page, url: string, name: string, definition: unknown): Promise<string> {
  const answer = await page.request.post("/api/web/create_workflow", {
    headers: { origin: url },
    data: { name, definition },
  });
  expect(answer.status()).toBe(200);
  return (await answer.json()).workflow_id;
}

export interface DraftNode {
  id: string;
  parentId?: string;
  position: { x: number; y: number };
  data: Record<string, unknown>;
}

/** Reads the draft from the server. */
export async function readDraft(
  page: Page,
  url: string,
  workflowId: string,
): Promise<{ nodes: DraftNode[]; edges: unknown[] }> {
  const answer = await page.request.post("/api/web/get_workflow", {
    headers: { origin: url },
    data: { workflow_id: workflowId },
  });
  return (await answer.json()).definition;
}

/** Returns an expression field's text, with the references as the user writes them. */
export function expressionText(field: Locator): Promise<string> {
  return field.evaluate((element) => {
    const copy = element.cloneNode(true) as HTMLElement;
    for (const example of copy.querySelectorAll(".cm-placeholder")) example.remove();
    for (const chip of copy.querySelectorAll<HTMLElement>("[data-expression]")) {
      chip.textContent = chip.dataset.expression ?? "";
    }
    return [...copy.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n");
  });
}

export async function expectExpression(field: Locator, text: string): Promise<void> {
  await expect.poll(() => expressionText(field)).toBe(text);
}

/** Types the start of a reference, and chooses the reference when the list offers it. */
export async function typeReference(field: Locator, typed: string, reference: string): Promise<void> {
  await field.pressSequentially(typed);
  const list = field.page().getByRole("listbox", { name: "Data from earlier steps" });
  await expect(list.getByRole("option", { name: reference }).first()).toBeVisible();
  // The list is disabled while it updates.
  await expect(field.page().locator(".cm-tooltip-autocomplete-disabled")).toHaveCount(0);
  await field.press("Enter");
}

/** Finds a step on the canvas by name. */
export function card(page: Page, name: string) {
  return page.getByRole("group", { name: new RegExp(`^Step \\d+, ${name},`) });
}

export const node = (
  id: string,
  type: string,
  place: { x: number; y: number },
  data: object = {},
  parentId?: string,
) => ({
  id,
  type,
  position: place,
  data,
  ...(parentId === undefined ? {} : { parentId }),
});
export const edge = (source: string, target: string, sourceHandle?: string) => ({
  id: `${source}-${target}`,
  source,
  target,
  ...(sourceHandle === undefined ? {} : { sourceHandle }),
});

/** A workflow of Action Input, connected to Return Output. */
export const ENDS = {
  nodes: [
    node(
      "action_input",
      "action_input",
      { x: 0, y: 0 },
      {
        name: "Action Input",
        properties: [{ name: "orders", type: "array", required: true }],
      },
    ),
    node("return_output", "return_output", { x: 0, y: 180 }, { name: "Return Output", properties: [] }),
  ],
  edges: [edge("action_input", "return_output")],
};

/** A workflow with a step named Before and a loop of two steps, between Action Input and Return Output. */
export const LOOP = {
  nodes: [
    ...ENDS.nodes.map((drawn) => (drawn.id === "return_output" ? { ...drawn, position: { x: 0, y: 780 } } : drawn)),
    node("before", "transform", { x: 0, y: 160 }, { name: "Before", fields: [{ name: "x", value: "1" }] }),
    node("each", "loop", { x: -20, y: 320 }, { name: "Each", items: "{{action_input.orders}}", concurrency: 1 }),
    node(
      "first",
      "transform",
      { x: 20, y: 40 },
      { name: "First", fields: [{ name: "x", value: "{{each.item}}" }] },
      "each",
    ),
    node(
      "second",
      "transform",
      { x: 20, y: 200 },
      { name: "Second", fields: [{ name: "y", value: "{{first.x}}" }] },
      "each",
    ),
  ],
  edges: [
    edge("action_input", "before"),
    edge("before", "each"),
    edge("first", "second"),
    edge("each", "return_output"),
  ],
};
