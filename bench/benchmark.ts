import type { Figure } from "#bench/figures";
import { type Floor, startFloor } from "#bench/floors/floor";
import { type LoadResult, runLoad, type Shot } from "#bench/load/load";
import { readCpuMs } from "#bench/measure/process-usage";
import { median } from "#bench/measure/statistics";
import { type Product, type ProductSettings, startProduct } from "#bench/stage/product";

/** The load and duration of a measurement. */
export interface BenchOptions {
  /** Length of one round. */
  seconds: number;
  /** The number of rounds. The result is their median. */
  rounds: number;
  connections: number;
  /** The number of runs in a history, or in each week of it. */
  runs: number;
  /** The number of weeks in the history. */
  weeks: number;
  /** A folder for CPU profiles of the product's processes. */
  profile: string | undefined;
}

export interface Benchmark {
  /** One-line description of what the benchmark measures. */
  summary: string;
  run(options: BenchOptions): Promise<Figure[]>;
}

const WARM_UP_SECONDS = 2;

/** Starts the product, does the work, and always stops the product. */
export async function withProduct<T>(options: ProductSettings, work: (product: Product) => Promise<T>): Promise<T> {
  const product = await startProduct(options);
  try {
    return await work(product);
  } finally {
    await product.stop();
  }
}

/** Works like `withProduct`, with the floor application next to the product on the same PostgreSQL. */
export function withFloor<T>(
  options: ProductSettings,
  work: (stage: { product: Product; floor: Floor }) => Promise<T>,
): Promise<T> {
  return withProduct(options, async (product) => {
    const floor = await startFloor(product);
    try {
      return await work({ product, floor });
    } finally {
      await floor.stop();
    }
  });
}

export interface LoadedResult extends LoadResult {
  /** The CPU time of the serving processes per answer. */
  cpuMs: number;
}

/** One of the compared loads. */
export interface Contender {
  url: string;
  servingPids: readonly number[];
  expectedStatus: number;
  shot(index: number): Shot;
  /** Runs after each round, unmeasured. */
  settle?(): Promise<void>;
}

/**
 * Loads the contenders in turn, round after round, so that the machine's other work affects all of them equally. Warms
 * up each contender once before that.
 * @returns the median of each figure over the rounds, in the given order
 */
export async function compare(contenders: readonly Contender[], options: BenchOptions): Promise<LoadedResult[]> {
  const results: LoadedResult[][] = contenders.map(() => []);
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const [index, { settle, servingPids, ...load }] of contenders.entries()) {
      const seconds = round === 0 ? WARM_UP_SECONDS : options.seconds;
      const cpuBeforeMs = readCpuMs(servingPids);
      const result = await runLoad({ ...load, connections: options.connections, seconds });
      const cpuMs = (readCpuMs(servingPids) - cpuBeforeMs) / result.count;
      if (round > 0) results[index]?.push({ ...result, cpuMs });
      await settle?.();
    }
  }
  return results.map(medians);
}

function medians(results: readonly LoadedResult[]): LoadedResult {
  const of = (pick: (result: LoadedResult) => number) => median(results.map(pick));
  return {
    perSecond: of((result) => result.perSecond),
    count: of((result) => result.count),
    p50Ms: of((result) => result.p50Ms),
    p95Ms: of((result) => result.p95Ms),
    p99Ms: of((result) => result.p99Ms),
    cpuMs: of((result) => result.cpuMs),
  };
}
