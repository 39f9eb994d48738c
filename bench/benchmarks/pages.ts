import type { BrowserContext, Page } from "playwright";
import { type Benchmark, withProduct } from "#bench/benchmark";
import { compareToNumber, type Figure } from "#bench/figures";
import { drawingOf } from "#bench/load/canvas-drawing";
import { INPUT } from "#bench/load/workflows";
import { withBrowser } from "#bench/stage/browser";
import { type Product, SLUG } from "#bench/stage/product";
import {
  budgetedPages,
  CANVAS_KB,
  LIST_KB,
  type PageTarget,
  READ_KB,
  scriptsKb,
  watchScripts,
} from "#e2e/page-budgets";

/** The limit for Chrome's layout shift score. Chrome calls a page below 0.1 good. */
const SHIFT = 0.02;
const WORKFLOWS = 25;
const RUNS = 30;
/** By then, the answers have arrived, and everything has loaded that loads without the user. */
const SETTLED_MS = 10_000;

export const pages: Benchmark = {
  summary: `what each page makes the browser load (lists ${LIST_KB} kB of JavaScript, canvas ${CANVAS_KB}), and how its layout shifts`,
  run: () =>
    withProduct({}, (product) =>
      withBrowser(product.url, async (context, origin) => {
        // Before any call, the page shows the first steps above the list.
        const first = { name: "first steps", path: "/workflows", budgetKb: LIST_KB };
        const figures: Figure[] = await measure(context, first);
        for (const target of await targetsOf(context, origin, product)) {
          figures.push(...(await measure(context, target)));
        }
        return figures;
      }),
    ),
};

/** Creates enough data to fill the lists. */
async function targetsOf(context: BrowserContext, origin: string, product: Product): Promise<PageTarget[]> {
  let workflowId = "";
  for (let index = 0; index < WORKFLOWS; index += 1) {
    const data = { name: `Workflow ${index}`, definition: drawingOf(20) };
    const made = await context.request.post("/api/web/create_workflow", { headers: { origin }, data });
    workflowId = ((await made.json()) as { workflow_id: string }).workflow_id;
  }
  const [runId = ""] = await Promise.all(Array.from({ length: RUNS }, () => startRun(product)));
  return [
    ...budgetedPages(workflowId),
    { name: "an action", path: `/actions/${SLUG}` },
    { name: "a run", path: `/runs/${runId}` },
  ];
}

async function startRun({ url, headers }: Product): Promise<string> {
  const body = JSON.stringify({ input: INPUT });
  const answer = await fetch(`${url}/api/v1/runtime/actions/${SLUG}/run`, { method: "POST", headers, body });
  return ((await answer.json()) as { run_id: string }).run_id;
}

async function measure(context: BrowserContext, { name, path, budgetKb }: PageTarget): Promise<Figure[]> {
  const page = await context.newPage();
  const requestedKb = watchScripts(page);
  await page.addInitScript(watchShifts);
  const response = await page.goto(path, { waitUntil: "load" });
  const kb = await scriptsKb((await response?.text()) ?? "");
  await page.waitForTimeout(SETTLED_MS);
  const shift = await shiftOf(page);
  await page.close();
  const scripts = `kB of JavaScript, gzip: ${name}`;
  return [
    budgetKb === undefined ? { figure: scripts, measured: kb } : compareToNumber(scripts, kb, { atMost: budgetKb }),
    compareToNumber(`${scripts}, all of the first ${SETTLED_MS / 1_000} s`, await requestedKb(), { atMost: READ_KB }),
    compareToNumber(`layout shift: ${name}`, shift, { atMost: SHIFT }),
  ];
}

/** Runs in the page before everything else: sums up the page's layout shifts from now on. */
function watchShifts(): void {
  Object.assign(window, { layoutShift: 0 });
  const total = window as unknown as { layoutShift: number };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) total.layoutShift += (entry as unknown as { value: number }).value;
  }).observe({ type: "layout-shift", buffered: true });
}

function shiftOf(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { layoutShift: number }).layoutShift);
}
