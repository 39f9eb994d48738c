import type { Page } from "playwright/test";
import { openColumn, openLarge, toolbar } from "#e2e/canvas-column";
import { card, createWorkflow, edge, node } from "#e2e/canvas-drawing";
import { expect, test } from "#e2e/fixtures";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1280, height: 720 },
] as const;

/**
 * Returns the elements that cover any point of a card, or the reason why it is hidden. Empty if the whole card is
 * visible.
 */
function coversOf(page: Page, name: string): Promise<string[]> {
  return card(page, name).evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const pane = document.querySelector(".workflow-canvas")?.getBoundingClientRect() ?? new DOMRect();
    const covers = new Set<string>();
    for (let column = 0; column <= 10; column += 1) {
      for (let row = 0; row <= 6; row += 1) {
        const x = left + 4 + ((width - 8) * column) / 10;
        const y = top + 4 + ((height - 8) * row) / 6;
        if (x < pane.left || x > pane.right || y < pane.top || y > pane.bottom) covers.add("outside the view");
        const topmost = document.elementFromPoint(x, y);
        const isItself = topmost?.closest(".react-flow__node") === element;
        // Lines and their buttons belong to the drawing.
        const isDrawing = topmost?.closest(".react-flow__viewport") != null;
        if (!isItself && !isDrawing) covers.add(topmost?.outerHTML.slice(0, 120) ?? "nothing");
      }
    }
    return [...covers];
  });
}

const expectUncovered = (page: Page, name: string) => expect.poll(() => coversOf(page, name), name).toEqual([]);

const edgeOf = (page: Page, name: string) => page.getByRole("separator", { name });

/** Each state is reached from the state before it. */
const DOCK_STATES: readonly { what: string; reach: (page: Page) => Promise<void> }[] = [
  { what: "the panel", reach: (page) => expect(edgeOf(page, "Panel width")).toBeVisible() },
  { what: "no dock", reach: (page) => page.keyboard.press("Escape") },
  { what: "the panel again", reach: (page) => page.locator(".react-flow__node.selected").click() },
  { what: "the widest panel", reach: (page) => edgeOf(page, "Panel width").press("End") },
  { what: "the panel and a test", reach: (page) => page.keyboard.press("ControlOrMeta+Enter") },
  { what: "the panel and the tallest test", reach: (page) => edgeOf(page, "Test panel height").press("End") },
  {
    what: "the outline, the panel and the test",
    reach: (page) =>
      toolbar(page)
        .getByRole("button", { name: /^Outline/ })
        .click(),
  },
  {
    what: "all docks and the find bar",
    reach: async (page) => {
      await page.keyboard.press("ControlOrMeta+f");
      await expect(page.getByRole("search").getByRole("textbox")).toBeVisible();
    },
  },
];

for (const size of SIZES) {
  for (const [id, name] of [
    ["s0", "Part 0"],
    ["s4", "Part 4"],
    ["return_output", "Return Output"],
  ] as const) {
    test(`at ${size.width}x${size.height}, no dock and no bar covers ${name} while it is selected`, async ({
      signedInPage: page,
      product,
    }) => {
      await page.setViewportSize(size);
      await openColumn(page, product.url, `Room ${size.width} ${name}`, id);
      for (const { what, reach } of DOCK_STATES) {
        await test.step(what, async () => {
          await reach(page);
          await expectUncovered(page, name);
        });
      }
    });
  }

  test(`at ${size.width}x${size.height}, a step selected by mouse or by arrow keys moves out from under the minimap`, async ({
    signedInPage: page,
    product,
  }) => {
    await page.setViewportSize(size);
    await openColumn(page, product.url, `Reach ${size.width}`);
    await page.keyboard.press("0");
    await expect(toolbar(page).getByRole("button", { name: "Zoom: 100%" })).toBeVisible();
    // A visible point of a card that the minimap partly covers.
    const covered = await placeUnderMap(page);
    await page.mouse.click(covered.x, covered.y);
    await expectUncovered(page, covered.name);
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"]) await page.keyboard.press(key);
    const selected = await page.locator(".react-flow__node.selected").getAttribute("aria-label");
    await expectUncovered(page, /, (.+?),/.exec(selected ?? "")?.[1] ?? "");
  });

  test(`at ${size.width}x${size.height}, a step at the edge of a large drawing is visible after a click on its dot`, async ({
    signedInPage: page,
    product,
  }) => {
    test.slow();
    await page.setViewportSize(size);
    await openLarge(page, product.url, `Dots ${size.width}`);
    await expect(page.locator(".workflow-canvas")).toHaveAttribute("data-zoom", "dots");
    for (const name of ["Action Input", "Part 9", "Part 190", "Part 199"]) {
      await test.step(name, async () => {
        await page.keyboard.press("1");
        await expect(card(page, name)).toBeInViewport({ ratio: 0.99 });
        await card(page, name).click();
        await expect(edgeOf(page, "Panel width")).toBeVisible();
        await expectUncovered(page, name);
        await page.getByRole("button", { name: "Test", exact: true }).click();
        await expect(edgeOf(page, "Test panel height")).toBeVisible();
        await expectUncovered(page, name);
        await page.getByRole("button", { name: "Test", exact: true }).click();
        await page.getByRole("button", { name: /^Close the panel/ }).click();
        await expectUncovered(page, name);
      });
    }
  });

  test(`at ${size.width}x${size.height}, the arrow keys keep a step at the edge of a large drawing visible`, async ({
    signedInPage: page,
    product,
  }) => {
    test.slow();
    await page.setViewportSize(size);
    await openLarge(page, product.url, `Keys ${size.width}`, "s199");
    await expectUncovered(page, "Part 199");
    for (const zoom of ["1", "0", "+"]) {
      await test.step(`after the zoom key ${zoom}`, async () => {
        await card(page, "Part 199").focus();
        await page.keyboard.press(zoom);
        for (const [key, name] of [
          ["ArrowUp", "Part 198"],
          ["ArrowUp", "Part 197"],
          ["ArrowDown", "Part 198"],
          ["ArrowDown", "Part 199"],
        ] as const) {
          await page.keyboard.press(key);
          await expect(card(page, name)).toHaveClass(/selected/);
          await expectUncovered(page, name);
        }
      });
    }
  });

  test(`at ${size.width}x${size.height}, the selected step is visible after the drawing is tidied or turned`, async ({
    signedInPage: page,
    product,
  }) => {
    test.slow();
    await page.setViewportSize(size);
    await openLarge(page, product.url, `Turned ${size.width}`, "s199");
    const place = () => card(page, "Part 199").evaluate((element) => (element as HTMLElement).style.transform);
    for (const name of [/^Tidy/, /^Draw from left to right/, /^Undo/]) {
      const before = await place();
      await toolbar(page).getByRole("button", { name }).click();
      await expect.poll(place).not.toBe(before);
      await expect(page.locator(".is-gliding")).toHaveCount(0);
      await expectUncovered(page, "Part 199");
    }
  });

  test(`at ${size.width}x${size.height}, dragging the edges of the docks never covers the selected step`, async ({
    signedInPage: page,
    product,
  }) => {
    await page.setViewportSize(size);
    await openColumn(page, product.url, `Drag ${size.width}`, "s4");
    await page.keyboard.press("ControlOrMeta+Enter");
    await dragEdge(page, "Panel width", { x: -400, y: 0 });
    await expectUncovered(page, "Part 4");
    await dragEdge(page, "Test panel height", { x: 0, y: -400 });
    await expectUncovered(page, "Part 4");
    const before = await edgeOf(page, "Panel width").getAttribute("aria-valuenow");
    await page.reload();
    await expect(edgeOf(page, "Panel width")).toHaveAttribute("aria-valuenow", before ?? "");
    await expectUncovered(page, "Part 4");
  });
}

/** An HTTP request with a branch that ends at another step. */
const CALL = {
  nodes: [
    node("action_input", "action_input", { x: 0, y: 0 }, { name: "Action Input", properties: [] }),
    node(
      "call",
      "connector",
      { x: 0, y: 160 },
      {
        name: "Call",
        connector: "http",
        operation: "request",
        params: { method: "POST", url: "https://example.com", headers: { accept: "text/plain" } },
      },
    ),
    node("return_output", "return_output", { x: 0, y: 320 }, { name: "Return Output", properties: [] }),
  ],
  edges: [edge("action_input", "call"), edge("call", "return_output")],
};

test("at 1280x720, the panel and a test leave five fields and the selected step visible", async ({
  signedInPage: page,
  product,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const workflowId = await createWorkflow(page, product.url, "Five fields", CALL);
  await page.goto(`/workflows/${workflowId}?node=call`);
  const panel = page.getByRole("complementary", { name: "Settings for Call" });
  await expect(panel).toBeVisible();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  const test = page.getByRole("region", { name: "Test" });
  await expect(test).toBeVisible();
  await expectUncovered(page, "Call");
  const fields = panel.locator("[data-form]").locator("select, input, textarea, [role=textbox]");
  const shown = () =>
    fields.evaluateAll(
      (elements) =>
        elements.filter((element) => {
          const { left, right, top, bottom, width } = element.getBoundingClientRect();
          const topmost = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          const end = document.elementFromPoint((left + right) / 2, bottom - 2);
          return width > 0 && element.contains(topmost) && element.contains(end);
        }).length,
    );
  await expect.poll(shown).toBeGreaterThanOrEqual(5);
  const [panelBox, testBox] = [await panel.boundingBox(), await test.boundingBox()];
  expect((testBox?.x ?? 0) + (testBox?.width ?? 0)).toBeLessThanOrEqual((panelBox?.x ?? 0) + 1);
  expect((panelBox?.y ?? 0) + (panelBox?.height ?? 0)).toBe(720);
});

test("the tools are in the row of tabs, and a phone shows all of them", async ({ signedInPage: page, product }) => {
  await openColumn(page, product.url, "Tools");
  const tabs = page.getByRole("navigation", { name: "Workflow" });
  for (const width of [1440, 1280, 1024, 768]) {
    await page.setViewportSize({ width, height: 720 });
    // Both are read each time, because the page is laid out again after its window has changed.
    const place = async () => {
      const [tools, row] = await Promise.all([toolbar(page).boundingBox(), tabs.boundingBox()]);
      return [(tools?.y ?? 0) - (row?.y ?? 0), tools?.height];
    };
    await expect.poll(place, `${width}`).toEqual([0, 40]);
  }
  await page.setViewportSize({ width: 375, height: 812 });
  await expect.poll(async () => (await toolbar(page).boundingBox())?.height).toBe(40);
  for (const name of [/^Add step/, /^Tidy/, /^Undo/, /^Zoom/, /^Fit to view/, /^Outline/])
    await expect(toolbar(page).getByRole("button", { name })).toBeInViewport({ ratio: 1 });
});

/** Longer than the drawing moves. */
const SETTLED_MS = 1_000;

/** Moves the view so that the minimap covers a corner of a card, and returns a visible point of that card. */
async function placeUnderMap(page: Page): Promise<{ name: string; x: number; y: number }> {
  const name = "Part 2";
  const map = await page.locator("[data-minimap]").boundingBox();
  if (map === null) throw new Error("the minimap is not shown");
  await page.mouse.move(map.x - 20, map.y - 100);
  // Repeated, because the drawing can still move after an earlier zoom.
  await expect(async () => {
    const box = await card(page, name).boundingBox();
    if (box === null) throw new Error("the drawing is not shown");
    await pan(page, box.x + box.width - (map.x + map.width), box.y + box.height / 2 - map.y);
    const middle = async () => ((await card(page, name).boundingBox())?.y ?? 0) + box.height / 2;
    await expect.poll(middle, { timeout: SETTLED_MS }).toBeCloseTo(map.y, -1);
  }).toPass();
  expect(await coversOf(page, name)).not.toEqual([]);
  const moved = await card(page, name).boundingBox();
  return { name, x: (moved?.x ?? 0) + 60, y: (moved?.y ?? 0) + 12 };
}

/** Scrolling moves the drawing by half of the wheel's distance. */
const pan = (page: Page, x: number, y: number) => page.mouse.wheel(2 * x, 2 * y);

async function dragEdge(page: Page, name: string, by: { x: number; y: number }): Promise<void> {
  const box = await edgeOf(page, name).boundingBox();
  if (box === null) throw new Error(`there is no edge ${name}`);
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + by.x, from.y + by.y, { steps: 6 });
  await page.mouse.up();
}

const isSelectedAt = (page: Page, place: { x: number; y: number }) =>
  page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest(".selected") != null, place);

test("a message in the corner does not cover the selected step", async ({ signedInPage: page, product }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await openColumn(page, product.url, "Message", "s4");
  await page.keyboard.press("Escape");
  await page.keyboard.press("m");
  await page.mouse.move(600, 300);
  // The step moves to the corner, where only a message makes it move. Closing the panel can still move the view.
  await expect(async () => {
    const box = await card(page, "Part 4").boundingBox();
    await pan(page, (box?.x ?? 0) + (box?.width ?? 0) - 1270, (box?.y ?? 0) + (box?.height ?? 0) - 710);
    await expect.poll(() => isSelectedAt(page, { x: 1240, y: 690 }), { timeout: 2_000 }).toBe(true);
  }).toPass();
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.locator("[data-sonner-toast]")).toBeVisible();
  await expectUncovered(page, "Part 4");
});

test("a run does not move or resize any card", async ({ signedInPage: page, product }) => {
  await openColumn(page, product.url, "Steady");
  const boxes = () =>
    page.locator(".react-flow__node").evaluateAll((cards) =>
      cards.map((element) => {
        const { offsetWidth, offsetHeight, style } = element as HTMLElement;
        return `${element.getAttribute("data-id")} ${offsetWidth}x${offsetHeight} at ${style.transform}`;
      }),
    );
  const before = await boxes();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(card(page, "Return Output").getByText("Succeeded")).toBeAttached();
  await expect(card(page, "Part 4").getByText("Succeeded")).toBeAttached();
  expect(await boxes()).toEqual(before);
});

test("a step that fails has the same size as before the run", async ({ signedInPage: page, product }) => {
  const nodes = [
    node("action_input", "action_input", { x: 0, y: 0 }, { name: "Action Input", properties: [] }),
    node("fails", "code", { x: 0, y: 180 }, { name: "Fails", source: "throw new Error('no');", input: {} }),
    node("return_output", "return_output", { x: 0, y: 360 }, { name: "Return Output", properties: [] }),
  ];
  const edges = [edge("action_input", "fails"), edge("fails", "return_output")];
  const workflowId = await createWorkflow(page, product.url, "Failing", { nodes, edges });
  await page.goto(`/workflows/${workflowId}`);
  const size = () =>
    card(page, "Fails").evaluate((element) => {
      const { offsetWidth, offsetHeight } = element as HTMLElement;
      return [offsetWidth, offsetHeight];
    });
  const before = await size();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(card(page, "Fails").getByText("Failed", { exact: true })).toBeAttached();
  expect(await size()).toEqual(before);
});

test("the sidebar stays collapsed after a reload, and the server already renders it that way", async ({
  signedInPage: page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/workflows");
  const sidebar = page.locator("aside[data-nav]");
  await page.getByRole("button", { name: "Collapse the sidebar" }).click();
  await expect(sidebar).toHaveCSS("width", "56px");
  expect(await (await page.request.get("/workflows")).text()).toContain('data-nav="collapsed"');
  await page.reload();
  await expect(sidebar).toHaveCSS("width", "56px");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Runs" }).hover();
  await expect(page.getByRole("tooltip", { includeHidden: true })).toContainText("Runs");
  await page.keyboard.press("ControlOrMeta+b");
  await expect(sidebar).toHaveCSS("width", "216px");
});
