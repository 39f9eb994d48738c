import type { Contender } from "#bench/benchmark";
import type { Floor } from "#bench/floors/floor";
import { INPUT } from "#bench/load/workflows";
import { type Product, SLUG } from "#bench/stage/product";
import { signStandard } from "#lib/domain/triggers/trigger.fixture";

const JSON_HEADERS = { "content-type": "application/json" };

/** Requests a Next route that answers JSON without calling anything else. */
export function floorRead({ url, servingPids }: Floor): Contender {
  return { url, servingPids, expectedStatus: 200, shot: () => ({ method: "GET", path: "/read", headers: {} }) };
}

/** Requests a Next route that inserts one row. */
export function floorInsert({ url, servingPids }: Floor): Contender {
  const body = JSON.stringify({ input: INPUT });
  const shot = { method: "POST", path: "/insert", headers: JSON_HEADERS, body } as const;
  return { url, servingPids, expectedStatus: 202, shot: () => shot };
}

/** `POST /actions/:slug/run` with the product's own key. */
export function acceptRun({ url, servingPids, headers }: Product, slug: string = SLUG, input = INPUT): Contender {
  const body = JSON.stringify({ input });
  const shot = { method: "POST", path: `/api/v1/runtime/actions/${slug}/run`, headers, body } as const;
  return { url, servingPids, expectedStatus: 202, shot: () => shot };
}

/**
 * Sends a signed webhook delivery with its own id.
 * @param address the webhook's address
 */
export function acceptWebhook({ url, servingPids }: Product, address: string): Contender {
  const body = JSON.stringify(INPUT);
  const { pathname: path } = new URL(address);
  let next = 0;
  const shot = () => {
    const headers = { ...JSON_HEADERS, ...signStandard(body, `bench-${next++}`) };
    return { method: "POST", path, headers, body } as const;
  };
  return { url, servingPids, expectedStatus: 202, shot };
}
