import { type BrowserContext, type CDPSession, chromium, type Page } from "playwright";
import { LOGIN } from "#bench/stage/product";
import { findChromium } from "#scripts/testing/find-chromium";

const ARGUMENTS = ["--disable-background-networking", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];

/** Opens a browser, signed in as the owner of the product's workspace. Always closes it at the end. */
export async function withBrowser<T>(
  url: string,
  work: (context: BrowserContext, origin: string) => Promise<T>,
): Promise<T> {
  const executablePath = findChromium();
  const browser = await chromium.launch({ args: ARGUMENTS, ...(executablePath ? { executablePath } : {}) });
  try {
    // Cookies and origins belong to the product's own host name.
    const origin = url.replace("127.0.0.1", "localhost");
    const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } });
    await signIn(context);
    return await work(context, origin);
  } finally {
    await browser.close();
  }
}

async function signIn({ request }: BrowserContext): Promise<void> {
  const { csrfToken } = (await (await request.get("/api/auth/csrf")).json()) as { csrfToken: string };
  const answer = await request.post("/api/auth/callback/credentials", { form: { csrfToken, json: "true", ...LOGIN } });
  if (!answer.ok()) throw new Error(`signing in failed: ${answer.status()}`);
}

/**
 * Measures the CPU time of a page's main thread, which is more reliable than the clock if other programs use the
 * machine too.
 * @returns a function that returns the CPU ms since it was created or last called
 */
export async function watchCpu(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  let before = await readCpuMs(session);
  return async () => {
    const now = await readCpuMs(session);
    const spent = now - before;
    before = now;
    return spent;
  };
}

async function readCpuMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
}

/**
 * Measures the longest task on a page's main thread while the work runs. The browser handles the input of a frame, runs its
 * callbacks, and computes its style and layout in one task.
 * @returns its CPU ms, which other programs on the machine do not change
 */
export async function longestTaskMs(page: Page, work: () => Promise<void>): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("the page has no browser");
  await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline"] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const main = new Set(
    traceEvents.filter(({ args }) => args?.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === "RunTask" && main.has(`${pid} ${tid}`));
  if (tasks.length === 0) throw new Error("the trace has no tasks");
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** CPU time in microseconds. */
  tdur?: number;
  args?: { name?: string };
}

/** Runs in the page: counts the frames drawn in a period of time. */
export function countFrames(forMs: number): Promise<number> {
  return new Promise((resolve) => {
    let frames = 0;
    const startMs = performance.now();
    const count = () => {
      frames += 1;
      const spentMs = performance.now() - startMs;
      if (spentMs < forMs) requestAnimationFrame(count);
      else resolve((frames * 1_000) / spentMs);
    };
    requestAnimationFrame(count);
  });
}
