import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { type APIRequestContext, test as base, expect, type Page } from "playwright/test";
import { type LocalService, startLocalService } from "#e2e/local-service";
import { startThrowawayPostgres } from "#scripts/postgres/throwaway-postgres";
import { startPgbouncer } from "#scripts/postgres-servers/start-pgbouncer";
import { type OpenidTestProvider, startOpenidProvider } from "#scripts/testing/openid-provider.fixture";
import { reservePort } from "#scripts/testing/reserve-port";
import { type StartedProduct, startProduct } from "#scripts/testing/start-product";
import { startUnbuiltWeb, type UnbuiltWeb } from "#scripts/testing/start-unbuilt-web";

/** The instance under test, as printed by `npm start -- --json`. Each Playwright worker has its own instance. */
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

/** An instance without accounts. */
export type EmptyProduct = Pick<Product, "url" | "mcp_url" | "data_dir">;

interface PooledDatabase {
  /** The URL of the pooler, followed by the URL of PostgreSQL itself. */
  DATABASE_URL: string;
  DATABASE_URL_DIRECT: string;
  /** Runs a statement that bypasses the pooler. */
  query: (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>;
  /** Counts the pooler's connections to PostgreSQL, and the connections that bypass it. */
  sessions: () => Promise<{ servers: number; around: number }>;
}

interface Company {
  provider: OpenidTestProvider;
  product: EmptyProduct;
}

interface Fixtures {
  /** Sends HTTP requests with the demo workspace's key. Paths are relative to the instance. */
  api: APIRequestContext;
  /** A page with a user signed in to the demo workspace. */
  signedInPage: Page;
  /** A service at 127.0.0.1 that workflows can call. The instance allows it (OUTBOUND_ALLOW). */
  service: LocalService;
  /** Returns the process ids of the running workers. */
  workerPids: () => number[];
  /**
   * Starts a separate instance for the test, without the demo (`--no-seed`), and stops it after the test. It takes
   * about ten seconds, so mark the test as slow.
   * @param settings environment variables, such as OUTBOUND_ALLOW
   * @param options further options of the command
   */
  startEmptyProduct: (settings?: Record<string, string>, options?: string[]) => Promise<EmptyProduct>;
  /** Works like startEmptyProduct, with the demo workspace. */
  startSeededProduct: (settings?: Record<string, string>) => Promise<Product>;
  /** An OpenID provider, and an instance without accounts on which people sign in with the provider ("Company"). */
  company: Company;
  /** A web server of the product that finds no build. */
  unbuiltWeb: UnbuiltWeb;
  /** The URL of an empty database on its own PostgreSQL. */
  emptyDatabase: string;
  /** An empty database behind a transaction pooler with ten connections. */
  pooledDatabase: PooledDatabase;
}

interface WorkerFixtures {
  product: Product;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  product: [
    async ({ playwright: _any }, use, { parallelIndex }) => {
      const products = JSON.parse(process.env.PRODUCTS ?? "[]") as Product[];
      const product = products[parallelIndex];
      if (!product)
        throw new Error(`no instance was started for worker ${parallelIndex} (scripts/testing/test-product.ts)`);
      await use(product);
    },
    { scope: "worker" },
  ],

  baseURL: async ({ product }, use) => {
    await use(product.url);
  },

  page: async ({ page }, use) => {
    const violations: string[] = [];
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) violations.push(message.text());
    });
    await use(openAlive(page));
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

  // The service stops before the instance, so that a run that still waits for an answer also ends.
  service: async ({ product: _caller }, use) => {
    const { service, stop } = await startLocalService();
    await use(service);
    stop();
  },

  unbuiltWeb: async ({ product }, use) => {
    const web = await startUnbuiltWeb(product.data_dir);
    await use(web);
    await web.stop();
  },

  emptyDatabase: async ({ product: _caller }, use) => {
    const postgres = await startThrowawayPostgres({ settings: { fsync: "off" } });
    await use(postgres.cluster.url("postgres"));
    await postgres.remove();
  },

  pooledDatabase: async ({ emptyDatabase }, use) => {
    const pooler = await startPgbouncer({ databaseUrl: emptyDatabase, poolSize: 10 });
    const direct = new pg.Client({ connectionString: emptyDatabase });
    await direct.connect();
    await use({
      DATABASE_URL: pooler.url,
      DATABASE_URL_DIRECT: emptyDatabase,
      query: async (text, values) => (await direct.query(text, values)).rows,
      sessions: async () => {
        const ports = (await pooler.show("servers")).map(({ local_port: port }) => Number(port));
        const { rows } = await direct.query<{ around: number }>(
          `select count(*)::int as around from pg_stat_activity where backend_type = 'client backend'
             and datname = current_database() and pid <> pg_backend_pid() and client_port <> all($1::int[])`,
          [ports],
        );
        return { servers: ports.length, around: rows[0]?.around ?? 0 };
      },
    });
    await direct.end();
    await pooler.remove();
  },

  // These instances start after the worker's instance, so that they reuse its build.
  startEmptyProduct: async ({ product: _built }, use) => {
    await useStarts(use, (settings, options = []) => startProduct(["--no-seed", ...options], settings));
  },

  company: async ({ startEmptyProduct }, use) => {
    const port = await reservePort();
    const secret = "a secret of the application, long enough";
    const provider = await startOpenidProvider(`http://localhost:${port}`, ["company"], [{ id: "signalbox", secret }]);
    const pixel = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>',
    );
    const setting = {
      name: "company",
      label: "Company",
      icon: `data:image/svg+xml;base64,${pixel.toString("base64")}`,
      issuer: provider.url,
      client_id: "signalbox",
      client_secret: secret,
    };
    const product = await startEmptyProduct({ OIDC_PROVIDERS: JSON.stringify([setting]) }, ["--port", String(port)]);
    await use({ provider, product });
    provider.close();
  },

  startSeededProduct: async ({ product: _built }, use) => {
    await useStarts(use, (settings) => startProduct([], settings));
  },
});

/** Gives a test a function that starts instances, and stops those instances after the test. */
async function useStarts<Instance, Arguments extends unknown[]>(
  use: (start: (...given: Arguments) => Promise<Instance>) => Promise<void>,
  start: (...given: Arguments) => Promise<StartedProduct>,
): Promise<void> {
  const stops: (() => Promise<void>)[] = [];
  await use(async (...given) => {
    const { description, stop } = await start(...given);
    stops.push(stop);
    return JSON.parse(description) as Instance;
  });
  await Promise.all(stops.map((stop) => stop()));
}

export { expect };

/** Makes a page wait after each navigation until it handles events. Also needed for pages of another context. */
export function openAlive(page: Page): Page {
  const { goto, reload } = page;
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
  return page;
}

/**
 * Waits until the page handles events. A page is visible before that, and a script's early input would be lost. A
 * person is never that fast. React marks the elements that it has hydrated. Call this after a load that the page itself
 * started.
 */
export async function waitUntilAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isTaken = (element: Element) => Object.keys(element).some((name) => name.startsWith("__reactFiber"));
    return [...document.querySelectorAll("a, button, input, select, textarea")].every(isTaken);
  });
  await waitUntilIdle(page);
}

/**
 * Waits until the page is idle. A visible or focused element may not have run its effects yet, which add key listeners.
 * An idle page has run them.
 */
export async function waitUntilIdle(page: Page): Promise<void> {
  await page.waitForFunction(() => new Promise((resolve) => requestIdleCallback(() => resolve(true))));
}

/** Signs in the way the form does. The page and its request context share their cookies. */
export async function signIn(request: APIRequestContext, { url, login }: Product): Promise<void> {
  const { csrfToken } = (await (await request.get(`${url}/api/auth/csrf`)).json()) as { csrfToken: string };
  const answer = await request.post(`${url}/api/auth/callback/credentials`, {
    form: { csrfToken, json: "true", ...login },
  });
  if (!answer.ok()) throw new Error(`signing in failed: ${answer.status()} ${await answer.text()}`);
}
