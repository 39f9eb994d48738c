import type { Contender } from "#bench/benchmark";
import type { Floor } from "#bench/floor";
import { type Product, SLUG } from "#bench/product";
import { INPUT } from "#bench/workflows";

const JSON_HEADERS = { "content-type": "application/json" };

/** A Next route that answers JSON and asks nobody. */
export function floorRead({ url }: Floor): Contender {
  return { url, expectedStatus: 200, shot: () => ({ method: "GET", path: "/read", headers: {} }) };
}

/** A Next route that inserts one row. */
export function floorInsert({ url }: Floor): Contender {
  const body = JSON.stringify({ input: INPUT });
  const shot = { method: "POST", path: "/insert", headers: JSON_HEADERS, body } as const;
  return { url, expectedStatus: 202, shot: () => shot };
}

/** `POST /actions/:slug/run`. @param headersOf those of the caller number `index` */
export function acceptRun(product: Product, headersOf: (index: number) => Record<string, string>): Contender {
  const body = JSON.stringify({ input: INPUT });
  const path = `/api/v1/runtime/actions/${SLUG}/run`;
  return {
    url: product.url,
    expectedStatus: 202,
    shot: (index) => ({ method: "POST", path, headers: headersOf(index), body }),
  };
}
