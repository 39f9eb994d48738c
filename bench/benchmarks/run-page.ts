import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright";
import { type Benchmark, withProduct } from "#bench/benchmark";
import { compareToNumber, type Figure } from "#bench/figures";
import { median } from "#bench/measure/statistics";
import { countFrames, watchCpu, withBrowser } from "#bench/stage/browser";
import type { Product } from "#bench/stage/product";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";

const BODY = 9;
const ITEMS = 110;
/** The size of each step's output. All outputs total five megabytes. */
const TEXT_BYTES = 5_000;
const STEPS = BODY * ITEMS;
const SCROLL_MS = 2_000;

export const runPage: Benchmark = {
  summary: `the page of a run of ${STEPS} steps and ${Math.round((STEPS * TEXT_BYTES) / 1_000_000)} MB: opening and scrolling it`,
  run: ({ rounds }) =>
    withProduct({}, async (product) => {
      const runId = await runLong(product);
      const ask = await askForRun(product, runId);
      return withBrowser(product.url, async (context) => [
        ...ask,
        ...(await measure(context, `/runs/${runId}`, rounds)),
      ]);
    }),
};

/** Returns a loop over many items. Its body is a row of steps that pass a text to each other. */
function longDefinition(): Definition {
  const place = { position: { x: 0, y: 0 } };
  const body = Array.from({ length: BODY }, (_, index): GraphNode => {
    const text = index === 0 ? "{{start.text}}" : `{{step_${index - 1}.text}}`;
    const data = { name: `Step ${index}`, fields: [{ name: "text", value: text }] };
    return { id: `step_${index}`, type: "transform", parentId: "each", ...place, data };
  });
  const items = Array.from({ length: ITEMS }, (_, index) => index);
  const nodes: GraphNode[] = [
    {
      id: "start",
      type: "action_input",
      ...place,
      data: { properties: [{ name: "text", type: "string", required: true }] },
    },
    { id: "each", type: "loop", ...place, data: { name: "Each", items, result: true } },
    ...body,
    {
      id: "out",
      type: "return_output",
      ...place,
      data: { properties: [{ name: "ok", type: "string", value: "yes" }] },
    },
  ];
  const lines = [["start", "each"], ["each", "out"], ...body.slice(1).map(({ id }, index) => [`step_${index}`, id])];
  return { nodes, edges: lines.map(([source = "", target = ""]) => ({ id: `${source}-${target}`, source, target })) };
}

/** @returns the id of the run, after it has ended */
async function runLong({ publish, url, headers }: Product): Promise<string> {
  await publish("long", longDefinition());
  const body = JSON.stringify({ input: { text: "x".repeat(TEXT_BYTES) } });
  const started = await fetch(`${url}/api/v1/runtime/actions/long/run`, { method: "POST", headers, body });
  const { run_id: runId } = (await started.json()) as { run_id: string };
  for (;;) {
    const answer = await fetch(`${url}/api/v1/runtime/runs/${runId}`, { headers: { ...headers, prefer: "wait=20" } });
    const { status } = (await answer.json()) as { status: string };
    if (status === "succeeded") return runId;
    if (!["accepted", "running"].includes(status)) throw new Error(`the run ended ${status}`);
    await sleep(100);
  }
}

/** Requests the run with its steps, the way an agent does. */
async function askForRun({ url, headers }: Product, runId: string): Promise<Figure[]> {
  const answer = await fetch(`${url}/api/v1/runtime/runs/${runId}`, { headers });
  return [
    { figure: "MB of the run with its steps, as an agent reads it", measured: (await answer.text()).length / 1e6 },
  ];
}

async function measure(context: BrowserContext, path: string, rounds: number): Promise<Figure[]> {
  const page = await context.newPage();
  let received = 0;
  page.on("response", async (response) => {
    if (response.url().includes("/api/web/")) received += (await response.body().catch(() => "")).length;
  });
  await open(page, path);
  await page.waitForTimeout(1_000);
  const asked = received;
  const openings: { ms: number; cpuMs: number }[] = [];
  const scrolls: { fps: number; cpuMs: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    openings.push(await open(page, path));
    scrolls.push(await scroll(page));
  }
  const of = <T>(results: readonly T[], pick: (result: T) => number) => median(results.map(pick));
  return [
    { figure: "MB that the page asks for", measured: asked / 1e6 },
    compareToNumber(
      "ms from the navigation to the timeline",
      of(openings, ({ ms }) => ms),
      { atMost: 1_000 },
    ),
    { figure: "ms of CPU of that", measured: of(openings, ({ cpuMs }) => cpuMs) },
    compareToNumber(
      `frames a second while ${STEPS} rows scroll`,
      of(scrolls, ({ fps }) => fps),
      { atLeast: 50 },
    ),
    { figure: "ms of CPU a frame of it", measured: of(scrolls, ({ cpuMs }) => cpuMs) },
  ];
}

/** Measures from the start of the navigation until the timeline shows the steps. */
async function open(page: Page, path: string): Promise<{ ms: number; cpuMs: number }> {
  await page.goto("about:blank");
  const cpu = await watchCpu(page);
  await page.goto(path, { waitUntil: "commit" });
  const drawn = await page.waitForFunction(
    () => document.querySelectorAll("[role=listbox] [data-index]").length > 3 && performance.now(),
    undefined,
    { polling: "raf" },
  );
  return { ms: Number(await drawn.jsonValue()), cpuMs: await cpu() };
}

/** Opens the loop's items and scrolls through the whole timeline. */
async function scroll(page: Page): Promise<{ fps: number; cpuMs: number }> {
  const fold = page.getByRole("option", { name: /more/i }).first();
  await fold.click();
  await page.waitForFunction((rows) => document.body.scrollHeight > rows * 30, STEPS);
  await page.mouse.move(400, 500);
  const cpu = await watchCpu(page);
  const counting = page.evaluate(countFrames, SCROLL_MS);
  const endMs = performance.now() + SCROLL_MS;
  while (performance.now() < endMs) await page.mouse.wheel(0, 200);
  const fps = await counting;
  return { fps, cpuMs: (await cpu()) / (fps * (SCROLL_MS / 1_000)) };
}
