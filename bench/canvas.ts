import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { type BrowserContext, chromium, type Page } from "playwright";
import { type Benchmark, withProduct } from "#bench/benchmark";
import { drawingOf, FIRST_FIELD } from "#bench/canvas-drawing";
import { compareToNumber, type Figure } from "#bench/figures";
import { LOGIN } from "#bench/product";
import { median } from "#bench/statistics";
import { LIMITS } from "#lib/contract/limits";
import { findChromium } from "#scripts/find-chromium";

/** As large as a workflow may be. */
const NODES = LIMITS.graphNodes;
const DRAG_MS = 2_000;
const KEYS = 40;
const LIST_KB = 180;
const CANVAS_KB = 350;
const ARGUMENTS = ["--disable-background-networking", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];

export const canvas: Benchmark = {
  summary: `the canvas in a browser: a drawing of ${NODES} steps opened, dragged and typed into, and what its pages load`,
  run: ({ rounds }) =>
    withProduct({}, async ({ url }) => {
      const executablePath = findChromium();
      const browser = await chromium.launch({ args: ARGUMENTS, ...(executablePath ? { executablePath } : {}) });
      try {
        // Cookies and origins are those of the name the product gives itself.
        const baseURL = url.replace("127.0.0.1", "localhost");
        const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } });
        return await measure(context, baseURL, rounds);
      } finally {
        await browser.close();
      }
    }),
};

async function measure(context: BrowserContext, origin: string, rounds: number): Promise<Figure[]> {
  await signIn(context);
  const made = await context.request.post("/api/web/create_workflow", {
    headers: { origin },
    data: { name: "Large", definition: drawingOf(NODES) },
  });
  const { workflow_id: id } = (await made.json()) as { workflow_id: string };
  const path = `/workflows/${id}`;
  const page = await context.newPage();
  await opening(page, path);
  const openings: number[] = [];
  const drags: Drag[] = [];
  const keys: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    openings.push(await opening(page, path));
    drags.push(await drag(page));
    keys.push(...(await typing(page)));
  }
  return [
    compareToNumber(`ms from the click to ${NODES} cards drawn`, median(openings), { atMost: 1_500 }),
    compareToNumber("frames a second while a card is dragged", median(drags.map(({ fps }) => fps)), { atLeast: 50 }),
    compareToNumber("cards whose content changed during a drag", median(drags.map(({ drawn }) => drawn)), {
      atMost: 1,
    }),
    compareToNumber("ms from a key to its letter, p95", percentile95(keys), { atMost: 50 }),
    compareToNumber("kB of JavaScript, gzip: list of workflows", await scriptKb("/workflows"), {
      atMost: LIST_KB,
    }),
    compareToNumber("kB of JavaScript, gzip: canvas", await scriptKb("/workflows/[workflowId]"), { atMost: CANVAS_KB }),
  ];
}

async function signIn({ request }: BrowserContext): Promise<void> {
  const { csrfToken } = (await (await request.get("/api/auth/csrf")).json()) as { csrfToken: string };
  const answer = await request.post("/api/auth/callback/credentials", { form: { csrfToken, json: "true", ...LOGIN } });
  if (!answer.ok()) throw new Error(`signing in failed: ${answer.status()}`);
}

/** @returns ms from the start of the navigation until every card is drawn */
async function opening(page: Page, path: string): Promise<number> {
  await page.goto(path, { waitUntil: "commit" });
  const drawn = await page.waitForFunction(
    (count) => document.querySelectorAll(".react-flow__node").length === count && performance.now(),
    NODES,
    { polling: "raf" },
  );
  const ms = await drawn.jsonValue();
  // What loads after it must not be in the way of what is measured next.
  await page.waitForLoadState("networkidle");
  return Number(ms);
}

interface Drag {
  fps: number;
  /** Cards of which anything but the place changed. */
  drawn: number;
}

async function drag(page: Page): Promise<Drag> {
  const card = page.locator(".react-flow__node").nth(NODES / 2);
  await card.hover({ position: { x: 60, y: 18 } });
  const box = await card.boundingBox();
  if (box === null) throw new Error("the card is not drawn");
  const from = { x: box.x + box.width / 3, y: box.y + 10 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 10, from.y + 10, { steps: 4 });
  const counting = page.evaluate(countFrames, DRAG_MS);
  const endMs = performance.now() + DRAG_MS;
  for (let step = 0; performance.now() < endMs; step += 1) {
    await page.mouse.move(from.x + 120 * Math.sin(step / 8), from.y + 60 * Math.cos(step / 8));
  }
  const counted = await counting;
  await page.mouse.up();
  await page.keyboard.press("Control+z");
  return counted;
}

/** In the page: the frames of a stretch of time, and whose content was drawn anew meanwhile. */
function countFrames(forMs: number): Promise<Drag> {
  const changed = new Set<Element>();
  const observer = new MutationObserver((records) => {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      const card = element?.closest(".react-flow__node");
      // The wrapper itself carries the place.
      if (card && card !== element) changed.add(card);
    }
  });
  const nodes = document.querySelector(".react-flow__nodes");
  if (nodes) observer.observe(nodes, { subtree: true, childList: true, attributes: true, characterData: true });
  return new Promise((resolve) => {
    let frames = 0;
    const startMs = performance.now();
    const count = () => {
      frames += 1;
      const spentMs = performance.now() - startMs;
      if (spentMs < forMs) {
        requestAnimationFrame(count);
        return;
      }
      observer.disconnect();
      resolve({ fps: (frames * 1_000) / spentMs, drawn: changed.size });
    };
    requestAnimationFrame(count);
  });
}

/** @returns ms from each key to the frame that shows its letter */
async function typing(page: Page): Promise<number[]> {
  await page.locator('.react-flow__node[data-id="step_1"]').focus();
  await page.keyboard.press("Enter");
  const field = page.locator(`[data-field="${FIRST_FIELD}"]`);
  await field.click();
  await page.evaluate(() => {
    const spent: number[] = [];
    Object.assign(window, { spent });
    window.addEventListener(
      "keydown",
      () => {
        const startMs = performance.now();
        // After the frame: its own callbacks, style, layout and paint are then over.
        requestAnimationFrame(() => setTimeout(() => spent.push(performance.now() - startMs)));
      },
      true,
    );
  });
  for (let index = 0; index < KEYS; index += 1) await page.keyboard.press("abcdefgh"[index % 8] ?? "a", { delay: 30 });
  const spent = await page.evaluate(() => (window as unknown as { spent: number[] }).spent);
  await page.keyboard.press("Escape");
  return spent;
}

function percentile95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;
}

interface RouteStats {
  route: string;
  firstLoadChunkPaths: string[];
}

/** What a first visit of a route loads before it can be used; what comes later is fetched when it is opened. */
async function scriptKb(route: string): Promise<number> {
  const stats = JSON.parse(await readFile(".next/diagnostics/route-bundle-stats.json", "utf8")) as RouteStats[];
  const paths = stats.find((each) => each.route === route)?.firstLoadChunkPaths;
  if (paths === undefined) throw new Error(`the build knows no route ${route}`);
  const sizes = await Promise.all(paths.map(async (path) => gzipSync(await readFile(path)).length));
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
}
