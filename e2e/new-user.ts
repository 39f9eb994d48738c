import type { APIRequestContext, Locator, Page, TestInfo } from "playwright/test";
import { card, saved } from "#e2e/draw-workflow";
import { expect } from "#e2e/fixtures";

/**
 * Acts like someone who sees the product for the first time: uses the mouse on what is visible, and types into the
 * field that has the focus. Counts the clicks: one for each press of the mouse, each drag, and each choice in a list.
 */
export class NewUser {
  readonly page: Page;
  #clicks = 0;

  constructor(page: Page) {
    this.page = page;
  }

  get clicks(): number {
    return this.#clicks;
  }

  /** @param position relative to the upper left corner. Without it, the middle. */
  async click(target: Locator, position?: { x: number; y: number }): Promise<void> {
    await target.click(position === undefined ? {} : { position });
    this.#clicks += 1;
  }

  async choose(list: Locator, option: string): Promise<void> {
    await list.selectOption(option);
    this.#clicks += 1;
  }

  /** Presses a button that opens the system's file dialog, and chooses a file there. */
  async chooseFile(button: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    const dialog = this.page.waitForEvent("filechooser");
    await this.click(button);
    await (await dialog).setFiles(file);
    this.#clicks += 1;
  }

  /** Types into a field that must have the focus without a click. */
  async type(field: Locator, text: string): Promise<void> {
    await expect(field).toBeFocused();
    await this.page.keyboard.type(text);
  }

  async clickAndType(field: Locator, text: string): Promise<void> {
    await this.click(field);
    await this.type(field, text);
  }

  /** Replaces everything in the focused field. */
  async retype(field: Locator, text: string): Promise<void> {
    await expect(field).toBeFocused();
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.type(text);
  }
}

/** Reports the number of clicks that a task took, and requires that it is within the limit. */
export function expectClicks(user: NewUser, info: TestInfo, limit: number): void {
  info.annotations.push({ type: "clicks", description: `${user.clicks} of at most ${limit}` });
  expect(user.clicks, "clicks").toBeLessThanOrEqual(limit);
}

/** Creates a workflow from the list of workflows, and opens its canvas. */
export async function createWorkflow(user: NewUser, name: string, start?: string): Promise<void> {
  const { page } = user;
  await user.click(page.getByRole("button", { name: "New workflow" }));
  const dialog = page.getByRole("dialog", { name: "New workflow" });
  await user.type(dialog.getByLabel("Name"), name);
  if (start !== undefined) await user.click(dialog.getByText(start, { exact: true }));
  await user.click(dialog.getByRole("button", { name: "Create and open" }));
}

export const mainLink = ({ page }: NewUser, name: RegExp | string): Locator =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });

/** Adds a field that callers send, and leaves its step open. */
export async function addInputField(user: NewUser, name: string): Promise<void> {
  const { page } = user;
  await user.click(card(page, "Action Input"));
  await user.click(page.getByRole("button", { name: "Add field" }));
  await user.type(page.getByRole("textbox", { name: "Name", exact: true }), name);
}

/** @param plus the name of the add button on the canvas */
export async function addStep(user: NewUser, plus: string, words: string, option: RegExp): Promise<void> {
  const { page } = user;
  await user.click(page.getByRole("button", { name: plus }).first());
  await user.type(page.getByRole("combobox", { name: "Search steps" }), words);
  await user.click(page.getByRole("listbox", { name: "Steps" }).getByRole("option", { name: option }).first());
}

/** Finds a value in the list of data from earlier steps. */
export function earlierValue(page: Page, name: RegExp): Locator {
  return page.getByRole("tree", { name: "Data from earlier steps" }).getByRole("treeitem", { name });
}

/** Opens the test, types into its first field, and runs the draft. */
export async function testDraft(user: NewUser, field: string, text: string): Promise<void> {
  const { page } = user;
  await user.click(page.getByRole("button", { name: "Test", exact: true }));
  const panel = page.getByRole("region", { name: "Test", exact: true });
  await user.type(panel.getByLabel(field), text);
  await user.click(panel.getByText("Run the draft").first());
  // Waits for the status of the whole run. The first steps show this status earlier.
  await expect(panel.locator("header").first().getByText("Succeeded")).toBeVisible();
}

/** @param slug undefined for a workflow that a trigger starts */
export async function publish(user: NewUser, slug?: string): Promise<Locator> {
  const { page } = user;
  await saved(page);
  await user.click(page.getByRole("button", { name: "Activate" }));
  const dialog = page.getByRole("dialog", { name: "Activate" });
  await expect(dialog.getByText("No problems found.")).toBeVisible();
  if (slug !== undefined) {
    await user.type(dialog.getByRole("textbox", { name: "Slug" }), slug);
    await expect(dialog.getByText("Available")).toBeVisible();
  }
  await user.click(dialog.getByRole("button", { name: "Activate" }));
  const success = page.getByRole("dialog", { name: "Version 1 is live" });
  await expect(success).toBeVisible();
  return success;
}

/** Calls a published action over HTTP and returns the id of its run. */
export async function startRun(api: APIRequestContext, slug: string, input: unknown): Promise<string> {
  const called = await api.post(`/api/v1/runtime/actions/${slug}/run`, { data: { input } });
  expect(called.status()).toBe(202);
  return (await called.json()).run_id;
}

/** Calls a published action over HTTP and returns its run when it has ended. */
export async function callAction(api: APIRequestContext, slug: string, input: unknown) {
  return endedRun(api, await startRun(api, slug, input));
}

export async function endedRun(api: APIRequestContext, runId: string) {
  const read = async () => (await api.get(`/api/v1/runtime/runs/${runId}`, { headers: { prefer: "wait=25" } })).json();
  await expect.poll(async () => (await read()).status).toMatch(/succeeded|failed/);
  return read();
}

/** Returns a slug that no other test uses. */
export const newSlug = (words: string) => `${words}-${Date.now().toString(36)}`;
