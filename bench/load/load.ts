import { Client } from "undici";
import { percentile } from "#bench/measure/statistics";

export interface Shot {
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body?: string;
}

interface LoadOptions {
  /** The target's scheme, host, and port. */
  url: string;
  connections: number;
  seconds: number;
  /** Returns the request to send as number `index` of this load. */
  shot(index: number): Shot;
  /** Any other status ends the benchmark, because a fast refusal is not throughput. */
  expectedStatus: number;
}

export interface LoadResult {
  perSecond: number;
  count: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
}

/**
 * Keeps `connections` requests in flight for the given time. Each connection sends its next request when the last one
 * is answered. Floor and product use the same client on the same machine, so the client's cost affects both equally.
 */
export async function runLoad({ url, connections, seconds, shot, expectedStatus }: LoadOptions): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const startedMs = performance.now();
  const endMs = startedMs + seconds * 1_000;
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(url, { pipelining: 1 });
      try {
        while (performance.now() < endMs) {
          const sentMs = performance.now();
          const { statusCode, body } = await client.request(shot(next++));
          const text = await body.text();
          latenciesMs.push(performance.now() - sentMs);
          if (statusCode !== expectedStatus) throw new Error(`${url} answered ${statusCode}: ${text.slice(0, 500)}`);
        }
      } finally {
        await client.close();
      }
    }),
  );
  const elapsedSeconds = (performance.now() - startedMs) / 1_000;
  return {
    perSecond: latenciesMs.length / elapsedSeconds,
    count: latenciesMs.length,
    p50Ms: percentile(latenciesMs, 0.5),
    p95Ms: percentile(latenciesMs, 0.95),
    p99Ms: percentile(latenciesMs, 0.99),
  };
}
