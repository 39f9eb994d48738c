import type { Dispatcher } from "undici";
import { INPUT } from "#bench/load/workflows";
import type { Product } from "#bench/stage/product";

/** Starts a run and waits for its end as a single caller, like the README's first call. */
export async function runToEnd(
  client: Dispatcher,
  { headers }: Pick<Product, "headers">,
  slug: string,
): Promise<{ id: string; ms: number }> {
  const path = `/api/v1/runtime/actions/${slug}/run`;
  const sentMs = performance.now();
  const accepted = await client.request({ method: "POST", path, headers, body: JSON.stringify({ input: INPUT }) });
  const { run_id: id } = (await accepted.body.json()) as { run_id: string };
  const waiting = { ...headers, prefer: "wait=10" };
  const ended = await client.request({ method: "GET", path: `/api/v1/runtime/runs/${id}`, headers: waiting });
  const { status } = (await ended.body.json()) as { status: string };
  if (status !== "succeeded") throw new Error(`run ${id} is ${status}`);
  return { id, ms: performance.now() - sentMs };
}
