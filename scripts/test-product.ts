import { startProduct } from "#scripts/start-product";

/**
 * Playwright's global set-up: the product with its demo workspace, which all specs share and which is deleted
 * afterwards. They find the output of `start --json` in PRODUCT. Its workflows may call the services that specs start
 * here.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const { description, stop } = await startProduct([], { OUTBOUND_ALLOW: "127.0.0.1" });
  process.env.PRODUCT = description;
  return stop;
}
