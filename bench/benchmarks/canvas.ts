import type { BrowserContext, Page } from "playwright";
import { type Benchmark, withProduct } from "#bench/benchmark";
import { compareToNumber, type Figure } from "#bench/figures";
import { drawingOf, FIRST_FIELD } from "#bench/load/canvas-drawing";
import { median } from "#bench/measure/statistics";
import { countFrames, longestTaskMs, watchCpu, withBrowser } from "#bench/stage/browser";
import { LIMITS } from "#lib/contract/limits";

/** A common size, the maximum size of a workflow, and a larger size for the drawing alone. */
const SIZES = [10, LIMITS.graphNodes, 300];
/** How much CPU time opening a workflow may take, by its number of steps. */
const OPENING_CPU_MS = new Map([
  [10, 500],
  [LIMITS.graphNodes, 1_500],
]);
/** By then, everything has loaded that loads without the user. */
const OPENED_MS = 10_000;
const WHEEL_TURNS = 40;
const KEY_LOADS_MS = 2_000;
const DRAG_MS = 2_000;
const KEYS = 40;

export const canvas: Benchmark = {
  summary: `the canvas in a browser: drawings of ${SIZES.join(" and ")} steps opened, scrolled, dragged and typed into`,
  run: ({ rounds }) =>
    withProduct({}, ({ url }) =>
      withBrowser(url, async (context, origin) => {
        const figures: Figure[] = [];
        for (const size of SIZES) figures.push(...(await measure(context, origin, size, rounds)));
        return figures;
      }),
    ),
};

async function measure(context: BrowserContext, origin: string, size: number, rounds: number): Promise<Figure[]> {
  const path = await draw(context, origin, size);
  const page = await context.newPage();
  if (size > LIMITS.graphNodes) await showDrawing(page, size);
  await open(page, path, size);
  const openings: Cost[] = [];
  const wheels: number[] = [];
  const drags: Drag[] = [];
  const keys: Keys[] = [];
  for (let round = 0; round < rounds; round += 1) {
    openings.push(await open(page, path, size));
    wheels.push(await turnWheel(page));
    drags.push(await drag(page, size));
    keys.push(await type(page));
  }
  await page.close();
  const of = <T>(results: readonly T[], pick: (result: T) => number) => median(results.map(pick));
  const with_ = `${size} steps`;
  const cpuFigure = `${with_}: ms of CPU of the main thread in the first ${OPENED_MS / 1_000} s`;
  const cpuMs = of(openings, (opening) => opening.cpuMs);
  const maxCpuMs = OPENING_CPU_MS.get(size);
  return [
    compareToNumber(
      `${with_}: ms from the navigation to all cards`,
      of(openings, ({ ms }) => ms),
      { atMost: 1_500 },
    ),
    maxCpuMs === undefined
      ? { figure: cpuFigure, measured: cpuMs }
      : compareToNumber(cpuFigure, cpuMs, { atMost: maxCpuMs }),
    compareToNumber(
      `${with_}: ms of CPU of the longest frame while the wheel turns`,
      of(wheels, (longest) => longest),
      { atMost: 50 },
    ),
    compareToNumber(
      `${with_}: frames a second while a card is dragged`,
      of(drags, ({ fps }) => fps),
      { atLeast: 50 },
    ),
    { figure: `${with_}: ms of CPU a frame of it`, measured: of(drags, ({ cpuMs }) => cpuMs) },
    compareToNumber(
      `${with_}: cards drawn again by a drag`,
      of(drags, ({ cards }) => cards),
      { atMost: 1 },
    ),
    compareToNumber(
      `${with_}: ms from a key to its letter, p95`,
      of(keys, ({ p95 }) => p95),
      { atMost: 50 },
    ),
    { figure: `${with_}: ms of CPU a key`, measured: of(keys, ({ cpuMs }) => cpuMs) },
    compareToNumber(
      `${with_}: cards drawn again by ${KEYS} keys`,
      of(keys, ({ cards }) => cards),
      { atMost: 2 },
    ),
  ];
}

/** @returns the path of a new workflow */
async function draw({ request }: BrowserContext, origin: string, size: number): Promise<string> {
  const definition = drawingOf(Math.min(size, LIMITS.graphNodes));
  const made = await request.post("/api/web/create_workflow", {
    headers: { origin },
    data: { name: `Large, ${size}`, definition },
  });
  if (!made.ok()) throw new Error(`creating a workflow failed: ${made.status()} ${await made.text()}`);
  return `/workflows/${((await made.json()) as { workflow_id: string }).workflow_id}`;
}

/** Shows a drawing that is larger than a workflow may be. Only the page gets it, not the server. */
async function showDrawing(page: Page, size: number): Promise<void> {
  const definition = drawingOf(size);
  await page.route("**/api/web/get_workflow", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), definition } });
  });
  await page.route("**/api/web/update_workflow", (route) => route.abort());
}

interface Cost {
  /** Until every card is drawn. */
  ms: number;
  /** Of the main thread, until everything has loaded. */
  cpuMs: number;
}

/** Measures the time from the start of the navigation until every card is drawn, and the CPU time of opening. */
async function open(page: Page, path: string, size: number): Promise<Cost> {
  // What the page stored for the previous drawing belongs to another size.
  await page.addInitScript(() => localStorage.clear());
  await page.goto("about:blank");
  const cpu = await watchCpu(page);
  await page.goto(path, { waitUntil: "commit" });
  const drawn = await page.waitForFunction(
    (count) => document.querySelectorAll(".react-flow__node").length === count && performance.now(),
    size,
    { polling: "raf" },
  );
  const ms = Number(await drawn.jsonValue());
  await page.waitForTimeout(OPENED_MS - (await page.evaluate(() => performance.now())));
  return { ms, cpuMs: await cpu() };
}

/** Moves the drawing with the wheel, then zooms. Returns the CPU ms of the longest frame. */
async function turnWheel(page: Page): Promise<number> {
  await page.mouse.move(720, 450);
  const moving = await longestTaskMs(page, () => turn(page));
  await page.keyboard.down("Control");
  // The key shows that the user is about to edit. What loads then is not part of a turn.
  await page.waitForTimeout(KEY_LOADS_MS);
  const zooming = await longestTaskMs(page, () => turn(page));
  await page.keyboard.up("Control");
  return Math.max(moving, zooming);
}

async function turn(page: Page): Promise<void> {
  for (let step = 0; step < WHEEL_TURNS; step += 1) await page.mouse.wheel(0, step < WHEEL_TURNS / 2 ? 100 : -100);
}

interface Drag {
  fps: number;
  /** CPU time per frame. */
  cpuMs: number;
  /** Cards that rendered again per frame, although only their position changed. */
  cards: number;
}

async function drag(page: Page, size: number): Promise<Drag> {
  const card = page.locator(".react-flow__node").nth(size / 2);
  const box = await card.boundingBox();
  if (box === null) throw new Error("the card is not drawn");
  const from = { x: box.x + box.width / 3, y: box.y + box.height / 4 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 10, from.y + 10, { steps: 4 });
  await page.evaluate(watchCards);
  const cpu = await watchCpu(page);
  const counting = page.evaluate(countFrames, DRAG_MS);
  const endMs = performance.now() + DRAG_MS;
  for (let step = 0; performance.now() < endMs; step += 1) {
    await page.mouse.move(from.x + 120 * Math.sin(step / 8), from.y + 60 * Math.cos(step / 8));
  }
  const fps = await counting;
  const cpuMs = (await cpu()) / (fps * (DRAG_MS / 1_000));
  const cards = await page.evaluate(() => (window as unknown as { changedCards: Set<Element> }).changedCards.size);
  await page.mouse.up();
  await page.keyboard.press("Control+z");
  return { fps, cpuMs, cards };
}

/** Runs in the page: records which steps render again from now on. */
function watchCards(): void {
  const changedCards = new Set<Element>();
  Object.assign(window, { changedCards });
  const observer = new MutationObserver((records) => {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      const card = element?.closest(".react-flow__node");
      // A change of the wrapper is only a change of position.
      if (card && card !== element) changedCards.add(card);
    }
  });
  const nodes = document.querySelector(".react-flow__nodes");
  if (nodes) observer.observe(nodes, { subtree: true, childList: true, attributes: true, characterData: true });
}

interface Keys {
  /** The time from a key press to the frame that shows its letter. */
  p95: number;
  cpuMs: number;
  cards: number;
}

async function type(page: Page): Promise<Keys> {
  await page.locator('.react-flow__node[data-id="step_1"]').focus();
  await page.keyboard.press("Enter");
  const field = page.locator(`[data-field="${FIRST_FIELD}"]`);
  await field.click();
  await page.evaluate(watchKeys);
  await page.evaluate(watchCards);
  const cpu = await watchCpu(page);
  for (let index = 0; index < KEYS; index += 1) await page.keyboard.press("abcdefgh"[index % 8] ?? "a", { delay: 30 });
  const cpuMs = (await cpu()) / KEYS;
  const { spent, cards } = await page.evaluate(() => {
    const { keyMs, changedCards } = window as unknown as { keyMs: number[]; changedCards: Set<Element> };
    return { spent: keyMs, cards: changedCards.size };
  });
  await page.keyboard.press("Escape");
  return { p95: spent.toSorted((a, b) => a - b)[Math.floor(spent.length * 0.95)] ?? Number.NaN, cpuMs, cards };
}

/** Runs in the page: records how long each key press takes from now on. */
function watchKeys(): void {
  const keyMs: number[] = [];
  Object.assign(window, { keyMs });
  window.addEventListener(
    "keydown",
    () => {
      const startMs = performance.now();
      // This runs after the frame: its callbacks, style, layout, and paint are done.
      requestAnimationFrame(() => setTimeout(() => keyMs.push(performance.now() - startMs)));
    },
    true,
  );
}
