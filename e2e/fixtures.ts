import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type APIRequestContext, test as base, expect, type Page } from "playwright/test";
import { type LocalService, startLocalService } from "#e2e/local-service";
import { startProduct } from "#scripts/start-product";

/** The instance under test, as `npm start -- --json` describes it. */
export interface Product {
  url: string;
  mcp_url: string;
  data_dir: string;
  login: { email: string; password: string };
  raw_key: string;
  /** The published action of the demo workspace, and an input it accepts. */
  slug: string;
  input: Record<string, unknown>;
}

/** An instance nobody has an account on yet. */
export type EmptyProduct = Pick<Product, "url" | "mcp_url" | "data_dir">;

interface Fixtures {
  /** HTTP requests with the demo workspace's key; paths are relative to the instance. */
  api: APIRequestContext;
  /** A page of somebody who is signed in to the demo workspace. */
  signedInPage: Page;
  /** What workflows may call at 127.0.0.1; the shared instance allows that (OUTBOUND_ALLOW). */
  service: LocalService;
  /** The process ids of the workers that run at this moment. */
  workerPids: () => number[];
  /**
   * Starts an instance of the test's own, without the demo (`--no-seed`); it ends with the test. Takes some ten seconds,
   * so such a test is a slow one.
   * @param settings environment variables, such as OUTBOUND_ALLOW
   */
  startEmptyProduct: (settings?: Record<string, string>) => Promise<EmptyProduct>;
}

interface WorkerFixtures {
  product: Product;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  product: [JSON.parse(process.env.PRODUCT ?? "null") as Product, { scope: "worker", option: true }],

  baseURL: async ({ product }, use) => {
    await use(product.url);
  },

  page: async ({ page }, use) => {
    const { goto, reload } = page;
    const violations: string[] = [];
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) violations.push(message.text());
    });
    page.goto = async (...given) => {
      const answer = await goto.apply(page, given);
      await waitUntilAlive(page);
      return answer;
    };
    page.reload = async (...given) => {
      const answer = await reload.apply(page, given);
      await waitUntilAlive(page);
      return answer;
    };
    await use(page);
    expect(violations).toEqual([]);
  },

  api: async ({ product, playwright }, use) => {
    const context = await playwright.request.newContext({
      baseURL: product.url,
      extraHTTPHeaders: { authorization: `Bearer ${product.raw_key}` },
    });
    await use(context);
    await context.dispose();
  },

  signedInPage: async ({ product, page }, use) => {
    await signIn(page.request, product);
    await use(page);
  },

  workerPids: async ({ product }, use) => {
    await use(() => {
      const instance = JSON.parse(readFileSync(join(product.data_dir, "instance.json"), "utf8")) as {
        processes: { name: string; pid: number }[];
      };
      return instance.processes.filter(({ name }) => name.startsWith("worker")).map(({ pid }) => pid);
    });
  },

  // Ends before the instance: a run that still waits for an answer is then over, too.
  service: async ({ product: _caller }, use) => {
    const { service, stop } = await startLocalService();
    await use(service);
    stop();
  },

  // After the shared instance, whose build it then finds.
  startEmptyProduct: async ({ product: _built }, use) => {
    const stops: (() => Promise<void>)[] = [];
    await use(async (settings) => {
      const { description, stop } = await startProduct(["--no-seed"], settings);
      stops.push(stop);
      return JSON.parse(description) as EmptyProduct;
    });
    for (const stop of stops) await stop();
  },
});

export { expect };

/**
 * A page is on the screen before it listens: what a script types in between is lost, where a person would only have
 * been too quick. React marks what it has taken over.
 */
async function waitUntilAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isTaken = (element: Element) => Object.keys(element).some((name) => name.startsWith("__reactFiber"));
    return [...document.querySelectorAll("a, button, input, select, textarea")].every(isTaken);
  });
}

/** As the sign-in form does it; the page and its request context share their cookies. */
async function signIn(request: APIRequestContext, { url, login }: Product): Promise<void> {
  const { csrfToken } = (await (await request.get(`${url}/api/auth/csrf`)).json()) as { csrfToken: string };
  const answer = await request.post(`${url}/api/auth/callback/credentials`, {
    form: { csrfToken, json: "true", ...login },
  });
  if (!answer.ok()) throw new Error(`signing in failed: ${answer.status()} ${await answer.text()}`);
}
