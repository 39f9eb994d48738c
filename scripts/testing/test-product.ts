import type { FullConfig } from "playwright/test";
import { startProduct } from "#scripts/testing/start-product";

/**
 * Sets Playwright up globally: starts an instance with the demo workspace for each Playwright worker, and stops the
 * instances after the tests. Specs find the output of `start --json` of all instances in PRODUCTS. Workflows may call
 * the services that the specs start on this machine.
 */
export default async function setup({ workers }: FullConfig): Promise<() => Promise<void>> {
  const products = await Promise.all(
    Array.from({ length: workers }, () => startProduct([], { OUTBOUND_ALLOW: "127.0.0.1" })),
  );
  process.env.PRODUCTS = `[${products.map(({ description }) => description).join()}]`;
  return async () => {
    await Promise.all(products.map(({ stop }) => stop()));
  };
}
