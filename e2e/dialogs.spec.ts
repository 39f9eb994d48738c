import type { Page } from "playwright/test";
import { expectNoFaultInEitherTheme } from "#e2e/accessibility";
import { card, createWorkflow, ENDS, edge, node } from "#e2e/canvas-drawing";
import { pickStep } from "#e2e/draw-workflow";
import { expect, type Product, test } from "#e2e/fixtures";
import { VISITOR_PAGES } from "#e2e/page-list";

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).first().click();
const chooseItem = async (page: Page, menu: string | RegExp, item: string) => {
  await press(page, menu);
  await page.getByRole("menuitem", { name: item }).click();
};

/** A dialog's title, and how to open it on its page. */
interface Opening {
  title: string;
  open: (page: Page) => Promise<void>;
}

const LISTS: Record<string, Opening[]> = {
  "/workflows": [
    { title: "New workflow", open: (page) => page.keyboard.press("n") },
    { title: "Import a workflow", open: (page) => press(page, "Import") },
    { title: "Tags", open: (page) => chooseItem(page, /^More for /, "Tags…") },
    { title: "Archive “", open: (page) => chooseItem(page, /^More for /, "Archive…") },
    { title: "Delete “", open: (page) => chooseItem(page, /^More for /, "Delete…") },
    { title: "New workspace", open: (page) => chooseItem(page, /^Workspace /, "New workspace…") },
  ],
  "/runs?status=succeeded": [{ title: "Save this view", open: (page) => chooseItem(page, "Views", "Save this view…") }],
  "/keys": [{ title: "New API key", open: (page) => press(page, "New key") }],
  "/connections": [{ title: "New connection", open: (page) => press(page, "New connection") }],
  "/settings/members": [{ title: "Invite a member", open: (page) => press(page, "Invite") }],
  "/settings/events": [
    { title: "New alert rule", open: (page) => press(page, "New alert rule") },
    { title: "New endpoint", open: (page) => press(page, "New endpoint") },
  ],
};

for (const [path, openings] of Object.entries(LISTS)) {
  test(`no dialog of ${path} has an accessibility fault in either theme`, async ({
    signedInPage: page,
    product,
    api,
  }) => {
    test.slow();
    await api.post(`/api/v1/runtime/actions/${product.slug}/run`, { data: { input: product.input } });
    for (const { title, open } of openings) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await page.waitForLoadState("networkidle");
      await open(page);
      await expect(
        page.getByRole("dialog", { name: title }).or(page.getByRole("alertdialog", { name: title })),
      ).toBeVisible();
      await expectNoFaultInEitherTheme(page, `${path}: ${title}`);
    }
  });
}

test("the menus of a list have no accessibility fault in either theme", async ({ signedInPage: page }) => {
  await page.goto("/runs");
  for (const name of ["Display", "Views"]) {
    await press(page, name);
    await expect(page.getByRole("menu").or(page.getByRole("dialog"))).toBeVisible();
    await expectNoFaultInEitherTheme(page, name);
    await page.keyboard.press("Escape");
  }
});

test("the replay dialog of a run has no accessibility fault in either theme", async ({
  signedInPage: page,
  product,
  api,
}) => {
  const called = await api.post(`/api/v1/runtime/actions/${product.slug}/run`, { data: { input: product.input } });
  const { run_id: runId } = await called.json();
  await page.goto(`/runs/${runId}`);
  await press(page, "Replay…");
  await expect(page.getByRole("dialog", { name: "Replay this run" })).toBeVisible();
  await expectNoFaultInEitherTheme(page);
});

const FIELD = { name: "count", value: "1" };

async function openDrawing(page: Page, { url }: Product, name: string): Promise<void> {
  const id = await createWorkflow(page, url, name, {
    nodes: [...ENDS.nodes, node("note", "transform", { x: 360, y: 90 }, { name: "Note", fields: [FIELD] })],
    edges: [edge("action_input", "note"), edge("note", "return_output")],
  });
  await page.goto(`/workflows/${id}`);
  await expect(card(page, "Note")).toBeVisible();
}

test("no dialog of the editor has an accessibility fault in either theme", async ({ signedInPage: page, product }) => {
  test.slow();
  await openDrawing(page, product, "Dialogs of the editor");
  await expectNoFaultInEitherTheme(page, "the drawing");
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("combobox", { name: /^Search commands/ })).toBeVisible();
  await expectNoFaultInEitherTheme(page, "the command palette");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await expectNoFaultInEitherTheme(page, "the shortcuts");
  await page.keyboard.press("Escape");
  await card(page, "Note").click({ button: "right" });
  await expect(page.getByRole("menu")).toBeVisible();
  await expectNoFaultInEitherTheme(page, "the menu of a step");
  await page.getByRole("menuitem", { name: "Extract as sub-workflow…" }).click();
  await expect(page.getByRole("dialog", { name: "Extract as sub-workflow" })).toBeVisible();
  await expectNoFaultInEitherTheme(page, "extracting");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add a step between Note and Return Output" }).click();
  await expect(page.getByRole("combobox", { name: "Search steps" })).toBeVisible();
  await expectNoFaultInEitherTheme(page, "the step picker");
  await pickStep(page, "http");
  await expectNoFaultInEitherTheme(page, "a new step");
});

test("the publish dialog has no accessibility fault in either theme", async ({ signedInPage: page, product }) => {
  await openDrawing(page, product, "Dialog to publish");
  await press(page, "Activate");
  await expect(page.getByRole("dialog", { name: "Activate" })).toBeVisible();
  await expectNoFaultInEitherTheme(page);
});

test("no page of a visitor has an accessibility fault in either theme", async ({ page }) => {
  for (const path of VISITOR_PAGES) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectNoFaultInEitherTheme(page, path);
  }
});

test("no page for something that does not exist has an accessibility fault in either theme", async ({
  signedInPage: page,
}) => {
  const id = "0199b7c2-0000-7000-8000-000000000000";
  const paths = [
    "/nowhere",
    `/runs/${id}`,
    `/workflows/${id}`,
    "/actions/none",
    `/approvals/${id}`,
    "/runs?correlation=none",
  ];
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByText(/not found|no run matches/i).first()).toBeVisible();
    await expectNoFaultInEitherTheme(page, path);
  }
});
