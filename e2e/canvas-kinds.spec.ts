import { findFaults } from "#e2e/accessibility";
import { card, createWorkflow, edge, LOOP, node } from "#e2e/canvas-drawing";
import { expect, test } from "#e2e/fixtures";

/** Every kind of step that a callable workflow can have, filled in so that it can be published. */
const KINDS = {
  nodes: [
    ...LOOP.nodes,
    node(
      "size",
      "switch",
      { x: 400, y: 0 },
      {
        name: "Size",
        cases: [
          {
            id: "large",
            name: "Large",
            match: "all",
            rules: [{ left: "{{action_input.orders}}", operator: "is_empty" }],
          },
          { id: "small", name: "Small", match: "all", rules: [{ left: "1", operator: "equals", right: "1" }] },
        ],
      },
    ),
    node("wait", "delay", { x: 400, y: 200 }, { name: "Wait", seconds: 1 }),
    node("ask", "approval", { x: 400, y: 360 }, { name: "Ask", message: "Really?" }),
    node(
      "sub",
      "sub_workflow",
      { x: 760, y: 200 },
      { name: "Sub", action_slug: "hello-world", input: { name: "Ada" } },
    ),
    node("run", "code", { x: 760, y: 360 }, { name: "Run", source: "return { a: 1 };", input: {} }),
    node("sum", "transform", { x: 760, y: 520 }, { name: "Sum", jsonata: "$count(action_input.orders)" }),
    node(
      "keep",
      "filter",
      { x: 760, y: 680 },
      {
        name: "Keep",
        items: "{{action_input.orders}}",
        match: "all",
        rules: [{ left: "{{keep.item.amount}}", operator: "greater_than", right: 100 }],
      },
    ),
  ],
  edges: [
    ...LOOP.edges,
    edge("action_input", "size"),
    edge("size", "wait", "large"),
    edge("wait", "ask"),
    edge("size", "sub", "small"),
    edge("sub", "run"),
    edge("run", "sum"),
    edge("sum", "keep"),
  ],
};

for (const [colorScheme, width] of [
  ["light", 1440],
  ["dark", 375],
] as const) {
  test(`every kind of step and its panel have no accessibility fault, ${colorScheme}, ${width} px wide`, async ({
    signedInPage: page,
    product,
  }) => {
    test.slow();
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    const id = await createWorkflow(page, product.url, "All kinds", KINDS);
    await page.goto(`/workflows/${id}`);
    await expect(card(page, "Each")).toBeAttached();
    await expect(page.getByText("No problems").or(page.getByRole("button", { name: /problem/ }))).toBeAttached();
    await page.keyboard.press("o");
    await expect(page.getByRole("navigation", { name: "Workflow outline" })).toBeVisible();
    expect(await findFaults(page)).toEqual([]);
    for (const name of ["Each", "Size", "Wait", "Ask", "Sub", "Run", "Sum", "Keep"]) {
      const outline = page.getByRole("navigation", { name: "Workflow outline" });
      if (!(await outline.isVisible())) await page.keyboard.press("o");
      await outline.getByRole("button", { name: new RegExp(`^\\d+\\. ${name}`) }).click();
      await expect(page.getByRole("complementary", { name: `Settings for ${name}` })).toBeVisible();
      // Checks only the panel, because nothing else has changed.
      expect(await findFaults(page, { part: `[aria-label="Settings for ${name}"]` })).toEqual([]);
      await page.keyboard.press("Escape");
    }
  });
}
