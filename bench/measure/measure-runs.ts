import type { BenchOptions, Contender } from "#bench/benchmark";
import { drain } from "#bench/load/drain";
import { runLoad } from "#bench/load/load";
import { readCpuMs } from "#bench/measure/process-usage";
import type { Product } from "#bench/stage/product";

export interface MeasuredRuns {
  perSecond: number;
  /** CPU ms per run or answer. */
  cpu: Record<"web" | "workers" | "postgres" | "all", number>;
}

/**
 * Sends calls for the length of a round and waits until all their runs have ended. The measured time is from the first
 * accepted run to the last finished one, because runs that are accepted faster than they execute must be caught up.
 */
export async function measureRuns(
  product: Product,
  calls: Contender,
  options: Pick<BenchOptions, "seconds" | "connections">,
): Promise<MeasuredRuns & { count: number }> {
  const cpuSince = startCpu(await product.pids());
  const since = (await product.db.query<{ at: Date }>("select now() as at")).rows[0]?.at;
  const { count } = await runLoad({ ...calls, ...options });
  await drain(product.db);
  const cpu = cpuSince(count);
  const { rows } = await product.db.query<{ seconds: number }>(
    `select extract(epoch from max(completed_at) - min(created_at))::float8 as seconds from runs where created_at >= $1`,
    [since],
  );
  return { perSecond: count / (rows[0]?.seconds ?? 0), cpu, count };
}

/** Returns a function that reads the CPU ms used since then, divided by a count. */
export function startCpu(pids: Awaited<ReturnType<Product["pids"]>>): (count: number) => MeasuredRuns["cpu"] {
  const read = () => ({
    web: readCpuMs(pids.web),
    workers: readCpuMs(pids.workers),
    postgres: readCpuMs(pids.postgres),
  });
  const before = read();
  return (count) => {
    const after = read();
    const [web, workers, postgres] = [
      (after.web - before.web) / count,
      (after.workers - before.workers) / count,
      (after.postgres - before.postgres) / count,
    ];
    return { web, workers, postgres, all: web + workers + postgres };
  };
}
