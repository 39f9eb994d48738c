import type { Page } from "playwright/test";
import { createWorkflow, edge, node, readDraft } from "#e2e/canvas-drawing";
import { card, pickStep, saved } from "#e2e/draw-workflow";
import { expect, test } from "#e2e/fixtures";

const AT = { x: 0, y: 0 };
const RULES = [{ left: "{{action_input.n}}", operator: "greater_than", right: 1 }];
const START = node("action_input", "action_input", AT, {
  name: "Action Input",
  properties: [{ name: "n", type: "number", required: true }],
});
const END = node("return_output", "return_output", AT, { name: "Return Output", properties: [] });
const step = (id: string, name: string) => node(id, "transform", AT, { name, fields: [{ name: "x", value: "1" }] });

/** A condition whose two branches lead to the same step. */
const JOINED = {
  nodes: [
    START,
    node("over_500", "condition", AT, { name: "Over 500", match: "all", rules: RULES }),
    step("approve", "Approve"),
    END,
  ],
  edges: [
    edge("action_input", "over_500"),
    edge("over_500", "approve", "true"),
    { ...edge("over_500", "return_output", "false"), id: "over_500.false-return_output" },
    edge("approve", "return_output"),
  ],
};

const CASES = ["gold", "silver", "bronze"].map((id) => ({ id, name: id.toUpperCase(), match: "all", rules: RULES }));
const BRANCHES = [
  ["gold", "GOLD"],
  ["silver", "SILVER"],
  ["bronze", "BRONZE"],
  ["default", "Default"],
] as const;
/** A switch with four branches to four steps that all lead to the end. */
const SWITCH = {
  nodes: [
    START,
    node("size", "switch", AT, { name: "Size", cases: CASES }),
    ...BRANCHES.map(([id]) => step(`on_${id}`, `On ${id}`)),
    END,
  ],
  edges: [
    edge("action_input", "size"),
    ...BRANCHES.flatMap(([id]) => [edge("size", `on_${id}`, id), edge(`on_${id}`, "return_output")]),
  ],
};

async function openTidied(page: Page, url: string, name: string, definition: unknown): Promise<string> {
  const id = await createWorkflow(page, url, name, definition);
  await page.goto(`/workflows/${id}`);
  await expect(card(page, "Action Input")).toBeVisible();
  // Tidying loads its code first. Until then, the draft is saved and the view fits the old drawing.
  const tidied = page.waitForResponse("**/api/web/save_draft");
  await page.keyboard.press("Shift+L");
  await tidied;
  await saved(page);
  await page.keyboard.press("1");
  // The view is fitted one frame later, which would undo an earlier zoom.
  await expect(card(page, "Return Output")).toBeInViewport({ ratio: 0.99 });
  return id;
}

/** Adds a step through the open picker, and returns the draft's edges as "source.branch>target". */
async function addAndReadEdges(page: Page, url: string, workflowId: string): Promise<string[]> {
  await pickStep(page, "delay");
  await expect(page.getByRole("complementary", { name: /^Settings for Delay/ })).toBeVisible();
  await saved(page);
  const { edges } = await readDraft(page, url, workflowId);
  return (edges as { source: string; sourceHandle?: string; target: string }[]).map(
    ({ source, sourceHandle, target }) => `${source}${sourceHandle ? `.${sourceHandle}` : ""}>${target}`,
  );
}

async function undoInsertion(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await expect(page.getByRole("group", { name: /, Delay/ })).toHaveCount(0);
  await saved(page);
}

const addButton = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Presses Tab until the button has the focus. Returns the names of all elements that had the focus. */
async function tabTo(page: Page, name: string): Promise<string[]> {
  const names: string[] = [];
  while (names.at(-1) !== name && names.length < 40) {
    await page.keyboard.press("Tab");
    names.push((await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))) ?? "");
  }
  return names;
}

test("if two branches lead to the same step, each add button adds its step to the branch that it names", async ({
  signedInPage: page,
  product,
}) => {
  test.slow();
  const id = await openTidied(page, product.url, "Two branches", JOINED);
  const inserted = [
    ["Add a step after Over 500, branch True", "over_500.true>delay", "delay>approve"],
    ["Add a step after Over 500, branch False", "over_500.false>delay", "delay>return_output"],
    ["Add a step between Approve and Return Output", "approve>delay", "delay>return_output"],
  ] as const;
  for (const [name, into, out] of inserted) {
    await addButton(page, name).click();
    expect(await addAndReadEdges(page, product.url, id), name).toEqual(expect.arrayContaining([into, out]));
    await undoInsertion(page);
    await addButton(page, name).focus();
    await page.keyboard.press("Enter");
    expect(await addAndReadEdges(page, product.url, id), name).toEqual(expect.arrayContaining([into, out]));
    await undoInsertion(page);
  }
});

test("each of a switch's four branches gets its own step, by mouse and by keyboard", async ({
  signedInPage: page,
  product,
}) => {
  test.slow();
  const id = await openTidied(page, product.url, "Four branches", SWITCH);
  for (const [branch, label] of BRANCHES) {
    await addButton(page, `Add a step after Size, branch ${label}`).click();
    expect(await addAndReadEdges(page, product.url, id)).toEqual(
      expect.arrayContaining([`size.${branch}>delay`, `delay>on_${branch}`]),
    );
    await undoInsertion(page);
  }
  await card(page, "Size").focus();
  const wanted = "Add a step after Size, branch BRONZE";
  expect(await tabTo(page, wanted)).toEqual([
    "Add a step after Size, branch GOLD",
    "Add a step after Size, branch SILVER",
    wanted,
  ]);
  await page.keyboard.press("Enter");
  expect(await addAndReadEdges(page, product.url, id)).toEqual(
    expect.arrayContaining(["size.bronze>delay", "delay>on_bronze"]),
  );
});

test("no button covers another button, a label, or a card, and each line starts at its port", async ({
  signedInPage: page,
  product,
}) => {
  for (const [name, definition] of [
    ["Joined", JOINED],
    ["Switch", SWITCH],
  ] as const) {
    await openTidied(page, product.url, `${name}, checked`, definition);
    await page.keyboard.press("0");
    await expect.poll(() => page.evaluate(findOverlaps), { message: name }).toEqual([]);
  }
});

/** Runs in the page: returns pairs of elements that overlap, and lines that do not end at a port. */
function findOverlaps(): string[] {
  const named = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .map((element) => ({
        name: element.getAttribute("aria-label") ?? element.textContent ?? "",
        box: element.getBoundingClientRect(),
      }));
  const adds = named('.react-flow__node button[aria-label^="Add a step"]');
  const labels = named(".react-flow__edgelabel-renderer span span");
  const cards = named(".react-flow__node-step");
  const faults: string[] = [];
  const compare = (a: (typeof adds)[number], b: (typeof adds)[number], room: number) => {
    const isApart =
      a.box.right + room <= b.box.left ||
      b.box.right + room <= a.box.left ||
      a.box.bottom + room <= b.box.top ||
      b.box.bottom + room <= a.box.top;
    if (!isApart) faults.push(`${a.name} covers ${b.name}`);
  };
  for (const [index, add] of adds.entries()) {
    for (const other of adds.slice(index + 1)) compare(add, other, 4);
    for (const other of [...labels, ...cards]) compare(add, other, 0);
  }
  for (const [index, label] of labels.entries()) for (const other of labels.slice(index + 1)) compare(label, other, 0);
  if (adds.length < 4) faults.push(`only ${adds.length} buttons`);
  const ports = named(".react-flow__handle").map(({ box }) => ({
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
  }));
  for (const path of document.querySelectorAll<SVGPathElement>(".react-flow__edge-path")) {
    const toScreen = path.getScreenCTM();
    for (const at of [0, path.getTotalLength()]) {
      const end = path.getPointAtLength(at).matrixTransform(toScreen ?? undefined);
      const isAtPort = ports.some(({ x, y }) => Math.hypot(x - end.x, y - end.y) < 5);
      if (!isAtPort) faults.push(`${path.closest("[data-id]")?.getAttribute("data-id")} ends at no port`);
    }
  }
  return faults;
}
