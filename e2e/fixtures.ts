import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type APIRequestContext, test as base, expect, type Page } from "playwright/test";
import { type LocalService, startLocalService } from "#e2e/local-service";
import { startProduct } from "#scripts/start-product";
import { startThrowawayPostgres } from "#scripts/throwaway-postgres";

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

/** An instance without any accounts. */
export type EmptyProduct = Pick<Product, "url" | "mcp_url" | "data_dir">;

interface Fixtures {
  /** HTTP requests with the demo workspace's key; paths are relative to the instance. */
  api: APIRequestContext;
  /** A page with a user signed in to the demo workspace. */
  signedInPage: Page;
  /** A service at 127.0.0.1 that workflows can call. The shared instance allows it (OUTBOUND_ALLOW). */
  service: LocalService;
  /** Returns the process ids of the workers that are running now. */
  workerPids: () => number[];
  /**
   * Starts a separate instance for the test, without the demo (`--no-seed`), and stops it after the test. Takes about
   * ten seconds, so mark the test as slow.
   * @param settings environment variables, such as OUTBOUND_ALLOW
   * @param options further options of the command
   */
  startEmptyProduct: (settings?: Record<string, string>, options?: string[]) => Promise<EmptyProduct>;
  /** The URL of an empty database on a PostgreSQL of its own. */
  emptyDatabase: string;
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

  // Stops before the instance, so that a run that still waits for an answer also ends.
  service: async ({ product: _caller }, use) => {
    const { service, stop } = await startLocalService();
    await use(service);
    stop();
  },

  emptyDatabase: async ({ product: _caller }, use) => {
    const postgres = await startThrowawayPostgres({ settings: { fsync: "off" } });
    await use(postgres.cluster.url("postgres"));
    await postgres.remove();
  },

  // Starts after the shared instance, so that it reuses its build.
  startEmptyProduct: async ({ product: _built }, use) => {
    const stops: (() => Promise<void>)[] = [];
    await use(async (settings, options = []) => {
      const { description, stop } = await startProduct(["--no-seed", ...options], settings);
      stops.push(stop);
      return JSON.parse(description) as EmptyProduct;
    });
    await Promise.all(stops.map((stop) => stop()));
  },
});

export { expect };

/**
 * A page is visible before it handles events, and a script's input in between would be lost. A person is never that
 * fast. React marks the elements it has hydrated.
 */
async function waitUntilAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isTaken = (element: Element) => Object.keys(element).some((name) => name.startsWith("__reactFiber"));
    return [...document.querySelectorAll("a, button, input, select, textarea")].every(isTaken);
  });
}

/** Signs in like the form does. The page and its request context share their cookies. */
async function signIn(request: APIRequestContext, { url, login }: Product): Promise<void> {
  const { csrfToken } = (await (await request.get(`${url}/api/auth/csrf`)).json()) as { csrfToken: string };
  const answer = await request.post(`${url}/api/auth/callback/credentials`, {
    form: { csrfToken, json: "true", ...login },
  });
  if (!answer.ok()) throw new Error(`signing in failed: ${answer.status()} ${await answer.text()}`);
}
