import { INPUT } from "#bench/load/workflows";
import type { Product } from "#bench/stage/product";

/** Makes one call of an action, so that there is a run to copy. */
export async function callOnce({ url, headers }: Pick<Product, "url" | "headers">, slug: string): Promise<void> {
  const body = JSON.stringify({ input: INPUT });
  const answer = await fetch(`${url}/api/v1/runtime/actions/${slug}/run`, { method: "POST", headers, body });
  if (answer.status !== 202) throw new Error(`a call was answered with ${answer.status}: ${await answer.text()}`);
}
