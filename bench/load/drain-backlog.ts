import { callOnce } from "#bench/load/call-once";
import { fillQueue } from "#bench/load/fill-queue";
import { readCpuMs } from "#bench/measure/process-usage";
import { type SlotUse, watchSlots } from "#bench/measure/watch-slots";
import type { Product } from "#bench/stage/product";

/** The resources that a backlog needs: the product, or workers on a test's database. */
export type QueueStage = Pick<Product, "url" | "headers" | "db" | "pids" | "pauseWorkers">;

export interface Drained extends SlotUse {
  /** The number of finished runs. */
  runs: number;
  /** Runs per second, from the first start to the last end. The times are stored in whole milliseconds. */
  perSecond: number;
  /** CPU ms of workers and PostgreSQL per run. */
  cpuMs: number;
  /** The number of cores that workers and PostgreSQL used. */
  cores: number;
}

/**
 * Queues runs of an action while the workers are stopped, starts the workers, and measures how they finish the runs.
 * @param runs at least 2
 * @param seconds the time limit. Runs that are left stay in the queue.
 * @throws Error if a run did not succeed
 */
export async function drainBacklog(stage: QueueStage, slug: string, runs: number, seconds?: number): Promise<Drained> {
  const { db } = stage;
  await stage.pauseWorkers(true);
  await callOnce(stage, slug);
  await fillQueue(db, slug, runs - 1);
  const since = (await db.query<{ at: Date }>("select clock_timestamp() as at")).rows[0]?.at;
  const { workers, postgres } = await stage.pids();
  const busy = [...workers, ...postgres];
  const [cpuBeforeMs, startedMs] = [readCpuMs(busy), performance.now()];
  await stage.pauseWorkers(false);
  const use = await watchSlots(db, seconds);
  const [cpuMs, elapsedMs] = [readCpuMs(busy) - cpuBeforeMs, performance.now() - startedMs];
  const { rows } = await db.query<{ ended: number; failed: number; seconds: number }>(
    `select count(*)::int as ended, count(*) filter (where status <> 'succeeded')::int as failed,
       greatest(extract(epoch from max(completed_at) - min(started_at)), 0.001)::float8 as seconds
     from runs where action_slug = $1 and completed_at >= $2`,
    [slug, since],
  );
  const [{ ended, failed, seconds: span } = { ended: 0, failed: 0, seconds: 0 }] = rows;
  if (failed > 0) throw new Error(`${failed} of ${ended} runs of ${slug} did not succeed`);
  return { ...use, runs: ended, perSecond: ended / span, cpuMs: cpuMs / ended, cores: cpuMs / elapsedMs };
}

/**
 * Returns the highest possible number of runs per second. Each run waits once for `latencyMs` in one of `slots`, and
 * the CPU finishes `cpuPerSecond` of the runs. The last run waits after all other runs have had their CPU time.
 */
export function idealPerSecond(
  runs: number,
  { slots, latencyMs, cpuPerSecond }: { slots: number; latencyMs: number; cpuPerSecond: number },
): number {
  const waits = Math.ceil(runs / slots) * (latencyMs / 1_000);
  return runs / Math.max(waits, runs / cpuPerSecond + latencyMs / 1_000);
}
