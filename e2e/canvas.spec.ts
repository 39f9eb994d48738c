import type { Page } from "playwright/test";
import { expectNoFaultInEitherTheme } from "#e2e/accessibility";
import { expectExpression, typeReference } from "#e2e/canvas-drawing";
import { card, dragToEmptyCanvas, nameStep, pickStep, saved } from "#e2e/draw-workflow";
import { expect, test } from "#e2e/fixtures";

/** Creates a workflow for the signed-in user without the canvas. */
async function createWorkflow(page: Page, url: string, name: string, definition: unknown): Promise<string> {
  const answer = await page.request.post("/api/web/create_workflow", {
    headers: { origin: url },
    data: { name, definition },
  });
  expect(answer.status()).toBe(200);
  return (await answer.json()).workflow_id;
}

const EMPTY = { nodes: [], edges: [] };

test("a workflow drawn by mouse and keyboard is published under a typed slug and can be called", async ({
  signedInPage: page,
  product,
  api,
}) => {
  // About 60 manual actions. The time that they take on a busy machine says nothing about the product.
  test.slow();
  await page.setViewportSize({ width: 1600, height: 1000 });
  const id = await createWorkflow(page, product.url, "Order size", EMPTY);
  await page.goto(`/workflows/${id}`);

  await page.getByRole("button", { name: "Start with Action Input and Return Output" }).click();
  for (const [index, [name, type]] of [
    ["order_id", "string"],
    ["amount", "number"],
  ].entries()) {
    await page.getByRole("button", { name: "Add field" }).click();
    await page
      .getByRole("textbox", { name: "Name", exact: true })
      .nth(index)
      .fill(name ?? "");
    await page
      .getByRole("combobox", { name: "Type" })
      .nth(index)
      .selectOption(type ?? "");
  }

  await page.getByRole("button", { name: "Add a step between Action Input and Return Output" }).click();
  await pickStep(page, "if");
  await typeReference(page.getByRole("textbox", { name: "Value", exact: true }), "{{amo", "action_input.amount");
  await expectExpression(page.getByRole("textbox", { name: "Value", exact: true }), "{{action_input.amount}}");
  await page.getByRole("combobox", { name: "Comparison" }).selectOption("is greater than");
  await page.getByRole("textbox", { name: "Compared with" }).fill("500");
  await nameStep(page, "Over 500");

  await page.getByRole("button", { name: "Add a step after Over 500, branch True" }).click();
  await pickStep(page, "transform");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("size");
  await page.getByRole("textbox", { name: "Value" }).fill("large");
  await nameStep(page, "Mark large");

  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await dragToEmptyCanvas(page, "Over 500", "false");
  await pickStep(page, "transform");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("size");
  await page.getByRole("textbox", { name: "Value" }).fill("small");
  await nameStep(page, "Mark small");
  await page.getByRole("combobox", { name: "After this step" }).selectOption("Return Output");

  await page.keyboard.press("Escape");
  await saved(page);
  // Tidying loads its code first. Until then, the view fits the old drawing.
  const tidied = page.waitForResponse("**/api/web/save_draft");
  await page.keyboard.press("Shift+L");
  await tidied;
  await page.keyboard.press("1");
  await card(page, "Return Output").click();
  const fields = [
    ["order_id", "{{action_input.order_id}}"],
    ["size", "{{mark_large.size}}{{mark_small.size}}"],
  ];
  for (const [index, [name, value]] of fields.entries()) {
    await page.getByRole("button", { name: "Add field" }).click();
    const field = page.getByRole("textbox", { name: "Name", exact: true }).nth(index);
    await expect(field).toBeFocused();
    await field.fill(name ?? "");
    await page
      .getByRole("textbox", { name: "Value", exact: true })
      .nth(index)
      .fill(value ?? "");
  }
  await page.getByRole("textbox", { name: "Name", exact: true }).first().focus();
  await saved(page);
  await expect(page.getByText("No problems")).toBeVisible();

  const slug = `order-size-${Date.now().toString(36)}`;
  await page.getByRole("button", { name: "Activate" }).click();
  const dialog = page.getByRole("dialog", { name: "Activate" });
  const slugField = dialog.getByRole("textbox", { name: "Slug" });
  await expect(slugField).toHaveValue("");
  await slugField.fill("Not a slug");
  await expect(dialog.getByText("Use lowercase letters")).toBeVisible();
  await slugField.fill(slug);
  await expect(dialog.getByText("Available")).toBeVisible();
  await dialog.getByRole("button", { name: "Activate" }).click();
  const success = page.getByRole("dialog", { name: "Version 1 is live" });
  await expect(success.getByText(`/api/v1/runtime/actions/${slug}/run`)).toBeVisible();
  await success.getByRole("button", { name: "Back to the canvas" }).click();
  await expect(page.getByRole("button", { name: "Publish Action" })).toHaveAttribute("aria-disabled", "true");

  for (const [amount, size] of [
    [900, "large"],
    [5, "small"],
  ]) {
    const called = await api.post(`/api/v1/runtime/actions/${slug}/run`, {
      data: { input: { order_id: "A-1", amount } },
    });
    expect(called.status()).toBe(202);
    const { run_id } = await called.json();
    const read = async () => (await api.get(`/api/v1/runtime/runs/${run_id}`)).json();
    await expect.poll(async () => (await read()).status).toBe("succeeded");
    expect((await read()).output).toEqual({ order_id: "A-1", size });
  }
});

const TWO_STEPS = {
  nodes: [
    {
      id: "action_input",
      type: "action_input",
      position: { x: 0, y: 0 },
      data: { name: "Action Input", properties: [{ name: "amount", type: "number", required: false }] },
    },
    {
      id: "return_output",
      type: "return_output",
      position: { x: 0, y: 180 },
      data: {
        name: "Return Output",
        properties: [{ name: "amount", type: "number", value: "{{action_input.amount}}" }],
      },
    },
  ],
  edges: [{ id: "e", source: "action_input", target: "return_output" }],
};

test("renaming a field updates its references, and a breaking change needs the publisher's confirmation", async ({
  signedInPage: page,
  product,
}) => {
  const id = await createWorkflow(page, product.url, "Contract", TWO_STEPS);
  const slug = `contract-${Date.now().toString(36)}`;
  await page.request.post("/api/web/deploy_workflow", {
    headers: { origin: product.url },
    data: { workflow_id: id, slug },
  });
  await page.goto(`/workflows/${id}`);
  await card(page, "Action Input").click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("total");
  await page.getByRole("checkbox", { name: "Required" }).click();
  await page.keyboard.press("Escape");
  await card(page, "Return Output").click();
  await expectExpression(page.getByRole("textbox", { name: "Value" }), "{{action_input.total}}");

  await page.getByRole("button", { name: "Publish Action" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish Action" });
  await expect(dialog.getByText("Breaking").first()).toBeVisible();
  const publish = dialog.getByRole("button", { name: "Publish Action" });
  await expect(publish).toBeDisabled();
  await dialog.getByRole("checkbox", { name: "Publish and break callers" }).click();
  await publish.click();
  await expect(page.getByRole("dialog", { name: "Version 2 is live" })).toBeVisible();
});

test("a draft that someone else saved first is overwritten only if its editor confirms it", async ({
  signedInPage: page,
  product,
}) => {
  const id = await createWorkflow(page, product.url, "Shared", TWO_STEPS);
  await page.goto(`/workflows/${id}`);
  await expect(card(page, "Action Input")).toBeVisible();
  const headers = { origin: product.url };
  // While a field has the focus, a newer draft is not loaded automatically.
  await page.getByRole("textbox", { name: "Workflow name" }).focus();
  await page.request.post("/api/web/update_workflow", { headers, data: { workflow_id: id, name: "Theirs" } });
  await page.getByRole("textbox", { name: "Workflow name" }).fill("Mine");
  await page.keyboard.press("Control+s");
  await expect(page.getByText(/while you were editing/)).toBeVisible();
  const name = async () =>
    (await (await page.request.post("/api/web/get_workflow", { headers, data: { workflow_id: id } })).json()).name;
  expect(await name()).toBe("Theirs");
  await page.getByRole("button", { name: "Keep mine" }).click();
  await saved(page);
  expect(await name()).toBe("Mine");
});

test("a problem leads to its field, offline work is kept, and neither has an accessibility fault", async ({
  signedInPage: page,
  product,
}) => {
  const id = await createWorkflow(page, product.url, "Reads well", TWO_STEPS);
  await page.goto(`/workflows/${id}`);
  await card(page, "Return Output").click();
  await expect(page.getByRole("complementary", { name: "Settings for Return Output" })).toBeVisible();
  await expectNoFaultInEitherTheme(page);

  const value = page.getByRole("textbox", { name: "Value" });
  await value.fill("{{action_input.nope}}");
  await value.blur();
  await page.getByRole("button", { name: "1 problem" }).click();
  await page
    .getByRole("dialog", { name: "Problems" })
    .getByRole("button", { name: /Return Output/ })
    .click();
  await expect(value).toBeFocused();
  await page.getByRole("button", { name: "Activate" }).click();
  const check = page.getByRole("region", { name: "Checks" }).getByRole("button", { name: /Return Output/ });
  await expect(check).toBeFocused();
  await check.click();
  await expect(value).toBeFocused();

  const status = page.locator("[data-save-status]");
  await page.context().setOffline(true);
  await value.fill("{{action_input.amount}}");
  await expect(status).toHaveText("Offline: changes kept in this browser");
  await expect(page.getByText(/offline/i).filter({ visible: true })).toHaveText([
    "Offline: changes kept in this browser",
  ]);
  await page.context().setOffline(false);
  await saved(page);
  await value.blur();

  await page.keyboard.press("Escape");
  // Closes the panel so that no step is selected: a selected step would stay in view.
  await page.keyboard.press("Escape");
  await expect(card(page, "Return Output")).not.toHaveClass(/selected/);
  // The minimap is shown while a part of the drawing is outside the view.
  await page.mouse.move(400, 300);
  await page.mouse.wheel(2_000, 0);
  await expect(page.locator("[data-minimap]")).toBeVisible();
  const before = await card(page, "Return Output").boundingBox();
  await page.locator("[data-minimap] svg").click({ position: { x: 10, y: 10 } });
  await expect.poll(async () => (await card(page, "Return Output").boundingBox())?.x).not.toBe(before?.x);
  await page.keyboard.press("m");
  await expect(page.locator("[data-minimap]")).toHaveCount(0);
});
